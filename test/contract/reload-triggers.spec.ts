// What makes the built programs read their settings again: SIGHUP and files. Calls, Vault and the config server:
// reload-workers.spec.ts.
import { mkdir, readFile, rename, symlink, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { makeFolder, removeFolder } from '../support/folders.js';
import { http } from '../support/http.js';
import { endPrograms, Program } from '../support/process.js';
import { startNode, type SsoNode } from '../support/sso-node.js';
import { until } from '../support/until.js';

const USERS = 'sso.authentication.static.users';
/** Wrong credentials. */
const REFUSED = 400;
const NEVER = { 'settings.reload.file-interval': '0s', 'settings.reload.remote-interval': '0s' };
const SOON = { ...NEVER, 'settings.reload.file-interval': '100ms' };

let folder: string;
let database: TestDatabase;

beforeAll(async () => {
  folder = await makeFolder();
  database = await createTestDatabase();
});
afterAll(async () => {
  await endPrograms();
  await database.drop();
  await removeFolder(folder);
});

/** One user, ann, with this password. */
const ann = (password: string): object => ({ [USERS]: [`ann::${password}`] });

function write(directory: string, settings: object): Promise<void> {
  return writeFile(join(directory, 'sso.yml'), JSON.stringify(settings));
}

async function logIn(node: SsoNode, password: string): Promise<number> {
  const form = { username: 'ann', password };
  return (await http('POST', `http://127.0.0.1:${node.port}/cas`, '/v1/tickets', { form })).status;
}

/** What the log says of the reloads. */
function reloads({ stdout }: Program): { cause: string; msg: string; problems?: string[] }[] {
  const lines = stdout.split('\n').filter((line) => line.includes('"logger":"settings"'));
  return lines.map((line) => JSON.parse(line) as { cause: string; msg: string });
}

/** @see proc(5): the signals that are caught, SIGHUP as the last bit */
async function handlesSighup(pid: number): Promise<boolean> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return BigInt(`0x${/^SigCgt:\s*(\w+)$/m.exec(status)?.[1] ?? '0'}`) % 2n === 1n;
}

describe('one process', () => {
  let directory: string;
  let node: SsoNode;

  beforeAll(async () => {
    directory = join(folder, 'one');
    await mkdir(directory);
    await write(directory, { ...NEVER, ...ann('one') });
    const argv = [
      `--settings.location=${directory}`,
      '--sso.authentication.handlers=static',
      '--logging.level.settings=info',
    ];
    node = await startNode(database.url, argv, {}, async (program) => {
      await until('it handles SIGHUP', () => handlesSighup(program.pid));
      program.signal('SIGHUP');
    });
    await node.program.waitForOutput(/"cause":"SIGHUP"/);
  });

  test('reloads by SIGHUP, which it keeps for later while it starts', async () => {
    expect(reloads(node.program)).toHaveLength(1);
    await write(directory, { ...NEVER, ...ann('two') });
    expect(await logIn(node, 'one')).toBe(201);
    node.program.signal('SIGHUP');
    await node.program.waitForOutput(new RegExp(`"cause":"SIGHUP","changed":\\["${USERS}"\\]`));
    expect([await logIn(node, 'one'), await logIn(node, 'two')]).toEqual([REFUSED, 201]);
  });

  test('refuses invalid settings with all violations, and goes on', async () => {
    await write(directory, { ...NEVER, ...ann('three'), 'sso.dialect': 'x', 'sso.workers': 'few' });
    node.program.signal('SIGHUP');
    await until('it is refused', () => reloads(node.program).length === 3);
    expect(reloads(node.program)[2]).toMatchObject({
      level: 'warn',
      problems: [
        expect.stringMatching(/^sso\.dialect: /),
        expect.stringMatching(/^sso\.workers: /),
      ],
    });
    expect([await logIn(node, 'three'), await logIn(node, 'two')]).toEqual([REFUSED, 201]);
  });

  test('applies a changed file, and its own log levels', async () => {
    await write(directory, { ...SOON, ...ann('four') });
    node.program.signal('SIGHUP');
    await until('files are watched', async () => (await logIn(node, 'four')) === 201);
    await write(directory, { ...SOON, ...ann('five'), 'logging.level.vault': 'debug' });
    await node.program.waitForOutput(
      /"cause":"changed file","changed":\["logging.level.vault","sso/,
    );
    expect([await logIn(node, 'four'), await logIn(node, 'five')]).toEqual([REFUSED, 201]);
  });

  test('follows a directory that is mounted again, as Kubernetes does it', async () => {
    const mountVersion = async (version: string, password: string): Promise<void> => {
      await mkdir(join(directory, version));
      await write(join(directory, version), { ...SOON, ...ann(password) });
      await symlink(version, join(directory, '..next'));
      await rename(join(directory, '..next'), join(directory, '..data'));
    };
    await mountVersion('..v1', 'six');
    await unlink(join(directory, 'sso.yml'));
    await symlink('..data/sso.yml', join(directory, 'sso.yml'));
    await until('the link is followed', async () => (await logIn(node, 'six')) === 201);
    await mountVersion('..v2', 'seven');
    await until('the change is applied', async () => (await logIn(node, 'seven')) === 201);
  });
});

// At a terminal: test/tour/end-of-start.spec.ts.
test('npm start passes SIGHUP on, to a starting application after its start', async () => {
  const settings = ['config-server', '--profiles.active=dev', '--config-server.port=0'];
  const fleet = Program.start('cli', ['start', ...settings], { cwd: folder });
  await until('it handles SIGHUP', () => handlesSighup(fleet.pid));
  for (const count of [1, 2]) {
    fleet.signal('SIGHUP');
    await fleet.waitForOutput(/Ctrl-C stops everything/);
    await until('it is passed on', () => reloads(fleet).length === count);
  }
  expect(await fleet.stop()).toMatchObject({ code: 0 });
});
