// `bin/tessera` in an installation made here: a program that prints how it was started, and a Node that says its version.
import { spawnSync } from 'node:child_process';
import { chmod, mkdir, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { makeFolder, removeFolder } from '../support/folders.js';

const PROGRAM = 'dist/apps/cli/src/main.js';
const NODE = 'node_modules/node/bin/node';
const NAMES = ['PROFILES_ACTIVE', 'SETTINGS_LOCATION', 'CREDENTIALS_DIRECTORY'];
/** Prints what it was given. */
const SCRIPT = `console.log(JSON.stringify({
  node: process.execPath, cwd: process.cwd(), caller: process.env.TESSERA_CALLER_DIRECTORY,
  args: process.argv.slice(2), options: process.execArgv,
  settings: ${JSON.stringify(NAMES)}.map((name) => process.env[name]),
}))`;

let folder: string;
/** The installation, and `/etc/tessera` of its units. */
let home: string;
let etc: string;

beforeEach(async () => {
  folder = await realpath(await makeFolder());
  home = join(folder, 'tessera');
  etc = join(folder, 'etc');
  await write('tessera/bin/tessera', await readFile('bin/tessera', 'utf8'));
  await write(`tessera/${PROGRAM}`, SCRIPT);
  await mkdir(join(home, 'node_modules/commander'), { recursive: true });
  await mkdir(dirname(join(home, NODE)), { recursive: true });
  await symlink(process.execPath, join(home, NODE));
  await write('old/node', '#!/bin/sh\necho v20.20.2\n');
  await mkdir(join(folder, 'tools'));
  for (const name of ['dirname', 'readlink']) {
    await symlink(`/usr/bin/${name}`, join(folder, 'tools', name));
  }
});
afterEach(() => removeFolder(folder));

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(join(folder, path)), { recursive: true });
  await writeFile(join(folder, path), text);
  await chmod(join(folder, path), 0o755);
}

interface Place {
  readonly command?: string;
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** The folder of a Node on the PATH; none by default. */
  readonly path?: string;
}

function run(args: readonly string[], place: Place = {}) {
  const { command = `${home}/bin/tessera`, cwd = folder, env = {}, path = '/nowhere' } = place;
  // Only what the script calls, so that the machine's own Node is not found.
  const PATH = `${path}:${join(folder, 'tools')}`;
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd,
    env: { PATH, ...env },
    encoding: 'utf8',
  });
  return { status, stderr, started: stdout === '' ? undefined : (JSON.parse(stdout) as object) };
}

describe('bin/tessera', () => {
  test.each<[string, () => Promise<Place>]>([
    ['by its path, from anywhere', () => Promise.resolve({ cwd: '/' })],
    ['by a relative path', () => Promise.resolve({ command: '../tessera/bin/tessera', cwd: etc })],
    ['by links to links', linked],
    ['on the PATH', () => Promise.resolve({ command: 'tessera', path: `${home}/bin` })],
    ['beside an older Node', () => Promise.resolve({ path: join(folder, 'old') })],
  ])('starts the program with its own Node and all arguments, in its folder: %s', async (_, at) => {
    await mkdir(etc);
    const place = await at();
    expect(run(['user', 'add', 'a b', '--', '-x'], place)).toEqual({
      status: 0,
      stderr: '',
      started: {
        node: process.execPath,
        cwd: home,
        caller: place.cwd ?? folder,
        args: ['user', 'add', 'a b', '--', '-x'],
        options: ['--disable-sigusr1'],
        settings: [null, null, null],
      },
    });
  });

  async function linked(): Promise<Place> {
    await symlink('tessera/bin/tessera', join(folder, 'first'));
    await symlink('../first', join(etc, 'second'));
    return { command: join(etc, 'second') };
  }

  test('takes a Node of the PATH that is new enough where it has none', async () => {
    await rm(join(home, NODE));
    const { started } = run([], { path: dirname(process.execPath) });
    expect(started).toMatchObject({ node: process.execPath });
  });

  test.each<[string, string, string, string]>([
    ['no Node', NODE, '', 'there is no Node 24: run npm ci in HOME, or put one on the PATH'],
    [
      'an older Node alone',
      NODE,
      'old',
      'FOLDER/old/node is no Node 24 or newer: run npm ci in HOME, which installs one, or put one on the PATH',
    ],
    ['no built program', 'dist', '', 'HOME is not installed: run npm ci there'],
    ['no packages', 'node_modules', '', 'HOME is not installed: run npm ci there'],
  ])('with %s says so in one line, with 1', async (_, missing, path, message) => {
    await rm(join(home, missing), { recursive: true });
    const { status, stderr } = run([], { path: join(folder, path) });
    expect(status).toBe(1);
    const text = message.replaceAll('HOME', home).replaceAll('FOLDER', folder);
    expect(stderr).toBe(`tessera: ${text}\n`);
  });
});

describe('bin/tessera of an installation with units of systemd', () => {
  beforeEach(async () => {
    const text = await readFile('bin/tessera', 'utf8');
    const moved = text.replaceAll('/opt/tessera', home).replaceAll('/etc/tessera', etc);
    await write('tessera/bin/tessera', moved);
    await mkdir(join(etc, 'credentials/sso'), { recursive: true });
    await mkdir(join(etc, 'credentials/config-server'));
  });

  test.each([
    ['user', 'sso'],
    ['encrypt', 'config-server'],
    ['decrypt', 'config-server'],
    ['rotate', 'config-server'],
    ['settings explain', 'sso'],
    ['settings explain --application config-server', 'config-server'],
    ['settings explain --application=config-server --json', 'config-server'],
  ])('has the settings and credentials of the unit: %s', (command, application) => {
    expect(run(command.split(' ')).started).toMatchObject({
      settings: ['production', etc, join(etc, 'credentials', application)],
    });
  });

  test('keeps settings that are given', () => {
    const env = {
      PROFILES_ACTIVE: 'a',
      SETTINGS_LOCATION: '/b',
      CREDENTIALS_DIRECTORY: '/c',
    };
    expect(run(['user'], { env }).started).toMatchObject({ settings: ['a', '/b', '/c'] });
  });

  test('has no settings where the units have none', async () => {
    await rm(etc, { recursive: true });
    expect(run(['user']).started).toMatchObject({ settings: [null, null, null] });
  });
});
