import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { findSettingsFiles } from './rotate-files.js';

let outer: string;
let directory: string;
beforeAll(async () => {
  outer = await mkdtemp(join(tmpdir(), 'tessera-files-'));
  directory = join(outer, 'repo');
  const names = ['a/b.yaml', 'a/C.JSON', 'd.properties', 'e.yml', 'g.txt', '.git/f.yml', '.h.yml'];
  for (const name of [...names, '../outside/i.yml', '../repository/j.yml']) {
    const path = join(directory, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, '');
  }
  await symlink('a/b.yaml', join(directory, 'link.yml'));
  await symlink('.git/f.yml', join(directory, 'z.yml'));
  await symlink('..', join(directory, 'a/loop'));
  await symlink('.', join(directory, 'a/self'));
  await symlink('nowhere.yml', join(directory, 'broken.yml'));
  await symlink('../outside/i.yml', join(directory, 'leads-out.yml'));
  await symlink('../outside', join(directory, 'outside'));
  await symlink('../repository', join(directory, 'repository'));
  await mkdir(join(directory, 'directory.yml'));
});
afterAll(() => rm(outer, { recursive: true }));

async function found(...names: readonly string[]): Promise<readonly string[]> {
  const files = await findSettingsFiles(names.map((name) => join(directory, name)));
  return files.map(({ path, kind }) => `${path.slice(directory.length + 1)} ${kind}`);
}

describe('settings files are refused', () => {
  test.each<[string, string, string]>([
    ['where there are none', 'no.yml', 'does not exist'],
    ['through a link to nothing', 'broken.yml', 'does not exist'],
    ['below a file', 'e.yml/x.yml', '(ENOTDIR)'],
    ['of other kinds', 'g.txt', 'no file that ends in .yml, .yaml, .json, .properties'],
  ])('%s', async (_what, name, error) => {
    await expect(findSettingsFiles([join(directory, name)])).rejects.toThrow(error);
  });
});

describe('settings files are found', () => {
  test('in a directory, each once, except hidden ones and links that lead out', async () => {
    expect(await found('')).toEqual([
      'a/C.JSON yaml',
      'a/b.yaml yaml',
      'd.properties properties',
      'e.yml yaml',
      'z.yml yaml',
    ]);
  });

  test.each<[string, readonly string[], readonly string[]]>([
    ['by their names', ['e.yml', 'd.properties'], ['e.yml yaml', 'd.properties properties']],
    [
      'once, however often they are given',
      ['link.yml', 'a', 'a/b.yaml'],
      ['link.yml yaml', 'a/C.JSON yaml'],
    ],
    ['behind given links', ['leads-out.yml'], ['leads-out.yml yaml']],
    ['in directories behind given links', ['outside'], ['outside/i.yml yaml']],
    ['hidden, where they are given', ['.h.yml', '.git'], ['.h.yml yaml', '.git/f.yml yaml']],
    ['nowhere in an empty directory', ['directory.yml'], []],
  ])('%s', async (_what, names, expected) => {
    expect(await found(...names)).toEqual(expected);
  });
});
