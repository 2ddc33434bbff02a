import { appendFile, readFile, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { makeFolder, removeFolder } from '../../../../test/support/folders.js';
import type { Place } from './place.js';
import { boundLog, lastWords, logSize } from './server-files.js';

let folder: string;
let place: Place;

beforeEach(async () => {
  folder = await makeFolder();
  place = { log: join(folder, 'server.log') } as Place;
});

afterEach(() => removeFolder(folder));

describe('the log of the server', () => {
  test('is moved aside when it is long, and once more replaces the older part', async () => {
    for (const part of ['first', 'second']) {
      await writeFile(place.log, part);
      await truncate(place.log, 5 * 1024 * 1024);
      await boundLog(place);
    }
    expect(await logSize(place)).toBe(0);
    const older = await readFile(`${place.log}.1`);
    expect(older.subarray(0, 6).toString()).toBe('second');
    expect((await stat(`${place.log}.1`)).size).toBe(5 * 1024 * 1024);
  });

  test('stays when it is short, and need not be there', async () => {
    await boundLog(place);
    await writeFile(place.log, 'short');
    await boundLog(place);
    expect(await readFile(place.log, 'utf8')).toBe('short');
  });

  test.each([
    ['what was said since', 'new words\n', 'new words'],
    ['at most the end of it', `${'x'.repeat(5_000)}end`, `${'x'.repeat(1_997)}end`],
    ['nothing when nothing was said', '', ''],
  ])('has as last words %s', async (_rule, said, words) => {
    await writeFile(place.log, 'old words\n');
    const since = await logSize(place);
    await appendFile(place.log, said);
    expect(await lastWords(place, since)).toBe(words);
  });

  test('has last words also after it was moved aside in between', async () => {
    await writeFile(place.log, 'new words');
    expect(await lastWords(place, 1_000_000)).toBe('new words');
  });
});
