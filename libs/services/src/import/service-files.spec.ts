import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { readServiceFiles, type ServiceFile } from './service-files.js';

let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'tessera-services-'));
  await mkdir(join(directory, 'more'));
});
afterEach(() => rm(directory, { recursive: true }));

const write = (file: string) => writeFile(join(directory, file), file);

async function files(): Promise<readonly ServiceFile[]> {
  const found: ServiceFile[] = [];
  for await (const file of readServiceFiles(directory)) found.push(file);
  return found;
}

test('other files are ignored, hidden ones and hidden directories skipped', async () => {
  await write('notes.txt');
  await write('.a.json.swp');
  await symlink('nowhere', join(directory, 'gone'));
  await mkdir(join(directory, '.git.json'));
  await write('.git.json/a.json');
  await mkdir(join(directory, 'more/.git'));
  await write('more/.git/a.json');
  expect(await files()).toEqual([
    { file: 'gone', ignored: 'is not a .json file' },
    { file: 'notes.txt', ignored: 'is not a .json file' },
  ]);
});

test('subdirectories are read, in the order of their paths', async () => {
  await mkdir(join(directory, 'more/still'));
  const paths = ['a.json', 'more/still/x.json', 'more/x.JSON', 'z.json'];
  for (const path of paths.toReversed()) await write(path);
  expect(await files()).toEqual(paths.map((file) => ({ file, text: file })));
});

test.each(['.x.json', 'more/.x.json'])('a hidden file %s is refused', async (file) => {
  await write(file);
  expect(await files()).toEqual([{ file, refusal: 'is hidden: rename or remove it' }]);
});

test('a link to a directory is not followed, and refused unless it is hidden', async () => {
  await symlink('more', join(directory, 'link'));
  await symlink('more', join(directory, '..data'));
  await symlink('..', join(directory, 'more/up'));
  expect(await files()).toEqual(
    ['link', 'more/up'].map((file) => ({
      file,
      refusal: 'is a link to a directory, which is not followed',
    })),
  );
});

test('links to files within the directory are followed, as mounted configuration has them', async () => {
  await mkdir(join(directory, '..2026'));
  await write('..2026/a.json');
  await symlink('..2026', join(directory, '..data'));
  await symlink('..data/a.json', join(directory, 'a.json'));
  expect(await files()).toEqual([{ file: 'a.json', text: '..2026/a.json' }]);
});
