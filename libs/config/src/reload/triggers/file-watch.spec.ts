import { appendFile, mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { FileWatch } from './file-watch.js';

let folder: string;
let path: string;
let files: string[];
let watch: FileWatch;
let changes: number;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'watch-'));
  path = join(folder, 'a.yml');
  files = [path, join(folder, 'missing.yml')];
  await writeFile(path, 'a');
  watch = await FileWatch.open(() => files);
  changes = 0;
});
afterEach(() => rm(folder, { recursive: true }));

function onChange(): Promise<void> {
  changes += 1;
  return Promise.resolve();
}
const check = (): Promise<void> => watch.check(onChange);

/** As Kubernetes mounts a ConfigMap: `a.yml` → `..data/a.yml`, `..data` → the version of the day. */
async function mountVersion(version: string): Promise<void> {
  await mkdir(join(folder, version));
  await writeFile(join(folder, version, 'a.yml'), 'same size');
  await symlink(version, join(folder, '..next'));
  await rename(join(folder, '..next'), join(folder, '..data'));
}

describe('a change is', () => {
  test.each<[string, () => Promise<unknown>]>([
    ['a file that is written', () => writeFile(path, 'b')],
    [
      'a file that takes its place',
      async () => {
        await writeFile(join(folder, 'new'), 'a');
        await rename(join(folder, 'new'), path);
      },
    ],
    ['a file that goes', () => rm(path)],
    ['a file that comes', () => writeFile(files[1] ?? '', '')],
  ])('%s', async (_what, change) => {
    await check();
    expect(changes).toBe(0);
    await change();
    await check();
    await check();
    expect(changes).toBe(1);
  });

  test('a link above that leads elsewhere', async () => {
    await rm(path);
    await mountVersion('..v1');
    await symlink('..data/a.yml', path);
    await check();
    await mountVersion('..v2');
    await check();
    expect(changes).toBe(2);
  });

  test('no file of another name', async () => {
    await writeFile(join(folder, '.a.yml.swp'), '');
    await check();
    expect(changes).toBe(0);
  });

  test('no file that is watched from now on', async () => {
    files.push(join(folder, 'b'));
    await writeFile(join(folder, 'b'), '');
    await check();
    expect(changes).toBe(0);
    await appendFile(join(folder, 'b'), 'b');
    await check();
    expect(changes).toBe(1);
  });
});

test('a file written in steps is one change, after the last step', async () => {
  await writeFile(path, '');
  const checking = check();
  const end = performance.now() + 250;
  while (performance.now() < end) {
    expect(changes).toBe(0);
    await appendFile(path, 'a');
    await setTimeout(20);
  }
  await checking;
  await check();
  expect(changes).toBe(1);
});

test('what changes while a change is dealt with is the next one', async () => {
  await writeFile(path, 'b');
  await watch.check(() => writeFile(path, 'cc'));
  await check();
  expect(changes).toBe(1);
});

describe('a reload that somebody else asked for', () => {
  const accepted = () => Promise.resolve({ changed: [], restart: [] });
  const refused = () => Promise.resolve({ problems: ['no'] });

  test.each([
    ['refused', refused, true],
    ['accepted', accepted, false],
  ])('and that is %s reads what has changed before it', async (_what, reload, isRefused) => {
    await writeFile(path, 'b');
    await watch.during(reload);
    await check();
    expect(changes).toBe(0);
    expect(watch.isRefused).toBe(isRefused);
  });

  test('while a change comes to a standstill reads that too', async () => {
    await writeFile(path, 'b');
    const checking = check();
    await setTimeout(20);
    await watch.during(accepted);
    await checking;
    expect(changes).toBe(0);
  });

  test('leaves what changes during it', async () => {
    await watch.during(async () => {
      await writeFile(path, 'b');
      return accepted();
    });
    await check();
    expect(changes).toBe(1);
  });

  test('and that names a new file has what it changes to refused, and accepted', async () => {
    const added = join(folder, 'b');
    await writeFile(added, '');
    await watch.during(() => {
      files.push(added);
      return accepted();
    });
    await writeFile(added, 'b');
    await watch.during(refused);
    expect(watch.isRefused).toBe(true);
    await writeFile(added, '');
    await watch.during(accepted);
    expect(watch.isRefused).toBe(false);
  });

  test('and is refused while no file has changed is not logged as a problem of files', async () => {
    await watch.during(refused);
    expect(watch.isRefused).toBe(false);
  });
});
