// Files that have lost their settings since the last reading.
import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import {
  reloadViolations,
  SettingsHome,
  takeOver,
} from '../../../../../test/support/live-settings.js';

const REMEDY = 'put it back, write a comment into it if it is to be without settings, or restart';

let home: SettingsHome;

beforeEach(async () => {
  home = await SettingsHome.make();
});
afterEach(() => home.remove());

const config = (name = ''): string => join(home.directory, 'config', name);

test.each<[string, string, () => Promise<void>]>([
  ['is gone', 'gone', () => rm(config('sso.yml'))],
  ['is gone with its directory', 'gone', () => rename(config(), config('../others'))],
  ['is cut off', 'empty', () => writeFile(config('sso.yml'), '')],
  ['is white space', 'empty', () => writeFile(config('sso.yml'), ' \n\t\n')],
])('a file that had settings and %s is refused', async (_, loss, lose) => {
  await home.write({ 'sso.greeting': 'a' });
  const live = await home.load();
  await lose();
  const violation = `config/sso.yml: had settings at the last reading, and is ${loss}; ${REMEDY}`;
  expect(await reloadViolations(live)).toEqual([violation]);
  expect(await reloadViolations(live)).toEqual([violation]);
  expect(live.current.greeting).toBe('a');
});

test('a file that came later is one that had settings', async () => {
  const live = await home.load();
  await writeFile(config('application.properties'), 'sso.greeting=b');
  await takeOver(live);
  await rm(config('application.properties'));
  expect(await reloadViolations(live)).toEqual([
    expect.stringMatching(/^config\/application.properties: had/),
  ]);
});

test.each([
  ['a comment', '# nothing any more'],
  ['an empty map', '{}'],
])('a file with %s is meant to be without settings, and may go then', async (_, text) => {
  await home.write({ 'sso.greeting': 'a' });
  const live = await home.load();
  await writeFile(config('sso.yml'), text);
  expect(await takeOver(live)).toEqual([['sso.greeting'], []]);
  await rm(config('sso.yml'));
  expect(await takeOver(live)).toEqual([[], []]);
});

test('errors that follow from a missing file are listed after it', async () => {
  await home.write({ 'sso.greeting': 'a' });
  const live = await home.load();
  await rm(config('sso.yml'));
  await writeFile(config('application.yml'), 'sso.port: -1');
  const lines = await reloadViolations(live);
  expect(lines).toHaveLength(2);
  expect(lines[0]).toContain('is gone');
});

test('a file is empty or gone at a start as it is', async () => {
  await writeFile(config('sso.yml'), '');
  const live = await home.load();
  await rm(config('sso.yml'));
  expect(await takeOver(live)).toEqual([[], []]);
});
