import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { makeFolder, removeFolder } from '../../../../../test/support/folders.js';
import { GitRemote } from '../../../../../test/support/git-remote.js';
import { GitSettings } from '../../settings/git-settings.js';
import { GitRepository } from './git-repository.js';

const UNKNOWN = {
  code: 'LABEL_UNKNOWN',
  message: expect.stringMatching(/^there is no branch, tag or commit /),
};

describe('a label', () => {
  let remote: GitRemote;
  let clones: string;
  let repository: GitRepository;
  let first: string;
  let second: string;

  const open = (given: Partial<GitSettings> = {}): Promise<GitRepository> =>
    GitRepository.open(
      Object.assign(new GitSettings(), {
        uri: remote.path,
        cloneDirectory: clones,
        refresh: 0,
        ...given,
      }).options(),
    );

  beforeAll(async () => {
    [remote, clones] = await Promise.all([GitRemote.create(), makeFolder()]);
    first = await remote.push({ a: '1' });
    second = await remote.push({ a: '2' });
    await remote.push({ a: 'gone' }, { branch: 'gone' });
    const tags = ['tag', '-m', 'a tag'];
    await remote.git('update-ref', 'refs/pull/1/head', 'main');
    await remote.git('update-ref', 'refs/heads/feature/x/y', first);
    await remote.git('update-ref', 'refs/heads/-x', first);
    await remote.git('update-ref', `refs/heads/${second.slice(0, 9)}`, first);
    await remote.git('update-ref', 'refs/heads/both', second);
    await remote.git('update-ref', 'refs/tags/both', first);
    await remote.git('update-ref', 'refs/heads/master', first);
    await remote.git('update-ref', 'refs/tags/refs/heads/main', first);
    await remote.git('update-ref', 'refs/heads/refs/tags/both', second);
    await remote.git('update-ref', 'refs/tags/refs/heads/nosuch', first);
    await remote.git('tag', 'to-a-file', 'main:a');
    await remote.git(...tags, 'v1', first);
    await remote.git(...tags, 'v1-again', 'v1');
    await remote.git('update-ref', 'refs/tags/1.0.0.M2', first);
    await remote.git('update-ref', 'refs/heads/2.0', first);
    await remote.git('update-ref', 'refs/tags/foo', first);
    await remote.git('update-ref', 'refs/heads/feature/foo', second);
    repository = await open();
  });

  afterAll(async () => {
    await repository.close();
    await Promise.all([remote.remove(), removeFolder(clones)]);
  });

  test.each([
    ['nosuch'],
    [''],
    ['--upload-pack=touch /tmp/pwned'],
    ['head'],
    ['main~1'],
    ['main^{tree}'],
    ['main:a'],
    ['@{-1}'],
    [':/a'],
    ['main\n'],
    ['main\0'],
    ['refs/heads/'],
    ['refs/pull/1/head'],
    ['origin/main'],
    ['00000000'],
    ['__proto__'],
    ['to-a-file'],
  ])('%j is unknown', async (label) => {
    await expect(repository.commitOf(label)).rejects.toMatchObject(UNKNOWN);
  });

  test.each<[string, () => [string | undefined, string]]>([
    ['may be a branch', () => ['main', second]],
    ['may be a branch with slashes', () => ['feature/x/y', first]],
    ['may be a branch like an option', () => ['-x', first]],
    ['may be the whole name of a branch', () => ['refs/heads/both', second]],
    ['may be the whole name of a tag', () => ['refs/tags/v1', first]],
    ['is a whole name rather than a tag called so', () => ['refs/heads/main', second]],
    ['is a whole name rather than a branch called so', () => ['refs/tags/both', first]],
    ['may be a tag that looks like a whole name', () => ['refs/heads/nosuch', first]],
    ['is a branch rather than a tag', () => ['both', second]],
    ['is a branch rather than a commit', () => [second.slice(0, 9), first]],
    ['may have dots, as a tag', () => ['1.0.0.M2', first]],
    ['may have dots, as a branch', () => ['2.0', first]],
    ['is a tag rather than a branch that ends so', () => ['foo', first]],
    ['is a branch that ends like a tag', () => ['feature/foo', second]],
    ['may be an annotated tag', () => ['v1', first]],
    ['may be a tag of a tag', () => ['v1-again', first]],
    ['may be the id of a commit', () => [first, first]],
    ['may be the prefix of an id', () => [second.slice(0, 7), second]],
    ['may be an id in capitals', () => [first.slice(0, 12).toUpperCase(), first]],
    ['is the default where there is none', () => [undefined, second]],
    ['may be HEAD, the default', () => ['HEAD', second]],
  ])('%s', async (_rule, example) => {
    const [label, expected] = example();
    expect((await repository.commitOf(label)).id).toBe(expected);
    expect((await repository.commitOf(label)).id).toBe(expected);
  });

  test('is no id of a tag', async () => {
    const tag = await remote.git('rev-parse', 'v1');
    await expect(repository.commitOf(tag)).rejects.toMatchObject(UNKNOWN);
  });

  test('is no id of a commit that no branch or tag contains any more', async () => {
    const gone = await remote.git('rev-parse', 'gone');
    expect((await repository.commitOf(gone)).id).toBe(gone);
    await remote.git('branch', '-D', 'gone');
    await repository.refresh();
    await expect(repository.commitOf(gone)).rejects.toMatchObject(UNKNOWN);
  });

  test('by default may be the branch master, unless another default is set', async () => {
    await remote.git('branch', '-m', 'main', 'trunk');
    await repository.refresh();
    expect((await repository.commitOf()).id).toBe(first);
    const other = await open({ defaultLabel: 'nosuch' });
    await expect(other.commitOf()).rejects.toMatchObject(UNKNOWN);
    await expect(other.commitOf('main')).rejects.toMatchObject(UNKNOWN);
    await expect(other.commitOf('HEAD')).rejects.toMatchObject(UNKNOWN);
    await other.close();
    const head = await open({ defaultLabel: 'HEAD' });
    await expect(head.commitOf()).rejects.toMatchObject(UNKNOWN);
    await head.close();
  });

  test('of a repository without commits is unknown', async () => {
    const empty = await GitRemote.create();
    const other = await open({ uri: empty.path });
    await expect(other.commitOf()).rejects.toMatchObject(UNKNOWN);
    await Promise.all([other.close(), empty.remove()]);
  });
});
