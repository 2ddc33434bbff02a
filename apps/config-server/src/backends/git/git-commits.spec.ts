import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { makeFolder, removeFolder } from '../../../../../test/support/folders.js';
import { GitRemote } from '../../../../../test/support/git-remote.js';
import { GitSettings } from '../../settings/git-settings.js';
import type { CommitTree } from './git-commits.js';
import { GitRepository } from './git-repository.js';

const LARGE = Buffer.from(Array.from({ length: 300_000 }, (_, index) => (index * 7) % 256));

describe('the tree of a commit', () => {
  let remote: GitRemote;
  let clones: string;
  let repository: GitRepository;
  let tree: CommitTree;

  beforeAll(async () => {
    [remote, clones] = await Promise.all([GitRemote.create(), makeFolder()]);
    const id = await remote.push({ a: '1' });
    await remote.push(
      {
        a: '2',
        empty: '',
        large: LARGE,
        'dir/ü ä.yml': 'y',
        '"dir/line\\nfeed"': 'z',
        '.env': '-',
        '.git-x/a': '-',
        'dir/.env': '-',
      },
      {
        links: { link: 'a', out: '/etc/passwd', folder: 'dir' },
        submodules: { sub: id },
        time: 1_700_000_000,
      },
    );
    const settings = { uri: remote.path, cloneDirectory: clones, refresh: 0 };
    repository = await GitRepository.open(Object.assign(new GitSettings(), settings).options());
    tree = await repository.commits.tree(await repository.commitOf());
  });

  afterAll(async () => {
    await repository.close();
    await Promise.all([remote.remove(), removeFolder(clones)]);
  });

  test.each([
    ['link'],
    ['out'],
    ['folder'],
    ['folder/.env'],
    ['sub'],
    ['.env'],
    ['.git-x/a'],
    ['dir/.env'],
    ['dir'],
    ['dir/'],
    ['./a'],
    ['dir/../a'],
    ['../a'],
    ['/a'],
    ['a/'],
    ['A'],
    [''],
    ['HEAD'],
    ['constructor'],
  ])('holds no file %j', async (path) => {
    expect(await tree.find(path)).toBeUndefined();
  });

  test.each([
    ['a', Buffer.from('2')],
    ['empty', Buffer.alloc(0)],
    ['large', LARGE],
    ['dir/ü ä.yml', Buffer.from('y')],
    ['dir/line\nfeed', Buffer.from('z')],
  ])(
    'gives the file %j byte for byte, with its size and the time of the commit',
    async (path, content) => {
      const found = await tree.find(path);
      expect(found).toMatchObject({ size: content.length, modified: new Date(1_700_000_000_000) });
      const reads = await Promise.all([1, 2, 3].map(async () => found?.read()));
      expect(reads.map((read) => read?.equals(content))).toEqual([true, true, true]);
    },
  );
});
