import { mkdir } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { configServerSettings } from '../../../../test/support/config-server.js';
import { makeFolder, removeFolder } from '../../../../test/support/folders.js';
import { isDemo } from './demo.js';

const DEV = '--profiles.active=dev';
const before = process.cwd();
let folder: string;

beforeAll(async () => {
  folder = await makeFolder();
  process.chdir(folder);
});
afterAll(async () => {
  process.chdir(before);
  await removeFolder(folder);
});

const isDemoWith = async (...argv: readonly string[]) => isDemo(await configServerSettings(argv));

test('no new process is notified of files that do not exist', async () => {
  expect(await isDemoWith(DEV)).toBe(false);
});

describe('where there are files,', () => {
  beforeAll(() => mkdir('config-repo'));

  test.each<[string, readonly string[]]>([
    ['another profile', ['--profiles.active=staging']],
    [
      'another backend',
      ['--config-server.backends=git', '--config-server.git.uri=https://git.example.org/x'],
    ],
    [
      'a second backend',
      ['--config-server.backends=native,git', '--config-server.git.uri=https://git.example.org/x'],
    ],
    ['another directory', ['--config-server.native.location=.']],
    ['a key of the settings', ['--encrypt.key=Mellon']],
    ['a key file', ['--encrypt.key-files=2031.key']],
    ['no key', ['--encrypt.generate=false']],
    ['no /decrypt', ['--config-server.decrypt.enabled=false']],
  ])('nobody is notified of them with %s', async (_what, argv) => {
    expect(await isDemoWith(DEV, ...argv)).toBe(false);
  });

  test.each<[string, readonly string[]]>([
    ['no other settings', []],
    ['their directory by another name', ['--config-server.native.location=file:config-repo/']],
    ['another port', ['--config-server.port=8889']],
  ])('a new process is notified of them with %s', async (_what, argv) => {
    expect(await isDemoWith(DEV, ...argv)).toBe(true);
  });
});
