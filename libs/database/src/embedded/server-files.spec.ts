import { appendFile, readFile, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { makeFolder, removeFolder } from '../../../../test/support/folders.js';
import type { Instance } from './instance.js';
import { rotateLog, logTail, logSize } from './server-files.js';

let folder: string;
let instance: Instance;

beforeEach(async () => {
  folder = await makeFolder();
  instance = { log: join(folder, 'server.log') } as Instance;
});

afterEach(() => removeFolder(folder));

describe('the log of the server', () => {
  test('is rotated when it is long, and replaces the older part', async () => {
    for (const part of ['first', 'second']) {
      await writeFile(instance.log, part);
      await truncate(instance.log, 5 * 1024 * 1024);
      await rotateLog(instance);
    }
    expect(await logSize(instance)).toBe(0);
    const older = await readFile(`${instance.log}.1`);
    expect(older.subarray(0, 6).toString()).toBe('second');
    expect((await stat(`${instance.log}.1`)).size).toBe(5 * 1024 * 1024);
  });

  test('stays when it is short, and need not be there', async () => {
    await rotateLog(instance);
    await writeFile(instance.log, 'short');
    await rotateLog(instance);
    expect(await readFile(instance.log, 'utf8')).toBe('short');
  });

  test.each([
    ['what was written since', 'new words\n', 'new words'],
    ['at most the end of it', `${'x'.repeat(5_000)}end`, `${'x'.repeat(1_997)}end`],
    ['nothing when nothing was written', '', ''],
  ])('has as its tail %s', async (_rule, written, tail) => {
    await writeFile(instance.log, 'old words\n');
    const since = await logSize(instance);
    await appendFile(instance.log, written);
    expect(await logTail(instance, since)).toBe(tail);
  });

  test('has a tail also after a rotation in between', async () => {
    await writeFile(instance.log, 'new words');
    expect(await logTail(instance, 1_000_000)).toBe('new words');
  });
});
