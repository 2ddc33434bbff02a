// What makes the built programs read their settings again: SIGHUP, files, Vault and the config server; in one process and
// in several.
import { mkdir, readFile, rename, symlink, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startConfigServer, type ConfigServer } from '../support/config-server.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { makeFolder, removeFolder } from '../support/folders.js';
import { http } from '../support/http.js';
import { endPrograms, Program, type ProgramName } from '../support/process.js';
import { signalAll, treeOf } from '../support/process-table.js';
import { startNode, type SsoNode } from '../support/sso-node.js';
import { until } from '../support/until.js';
import { describeWithVault, Vault } from '../support/vault.js';

const USERS = 'sso.authentication.static.users';
const ROLE = 'sso.rest.services.role-name';
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

/** A directory of settings of its own. */
async function home(name: string, settings: object): Promise<string> {
  const directory = join(folder, name);
  await mkdir(directory);
  await write(directory, settings);
  return directory;
}

function write(directory: string, settings: object, application = 'sso'): Promise<void> {
  return writeFile(join(directory, `${application}.yml`), JSON.stringify(settings));
}

function start(
  directory: string,
  settings: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<SsoNode> {
  const logs = ['settings', 'authentication'].map((name) => `--logging.level.${name}=info`);
  const argv = [`--settings.location=${directory}`, '--sso.authentication.handlers=static'];
  return startNode(database.url, [...argv, ...logs, ...settings], env);
}

const baseOf = ({ port }: SsoNode): string => `http://127.0.0.1:${port}/cas`;

async function logIn(node: SsoNode, password: string): Promise<number> {
  const form = { username: 'ann', password };
  return (await http('POST', baseOf(node), '/v1/tickets', { form })).status;
}

/** What the log says of the reloads. */
function reloads({ stdout }: Program): { cause: string; msg: string; problems?: string[] }[] {
  const lines = stdout.split('\n').filter((line) => line.includes('"logger":"settings"'));
  return lines.map((line) => JSON.parse(line) as { cause: string; msg: string });
}

describe('one process', () => {
  let directory: string;
  let node: SsoNode;

  beforeAll(async () => {
    directory = await home('one', { ...NEVER, ...ann('one') });
    node = await start(directory);
  });

  test('reloads by SIGHUP', async () => {
    await write(directory, { ...NEVER, ...ann('two') });
    expect(await logIn(node, 'one')).toBe(201);
    node.program.signal('SIGHUP');
    await node.program.waitForOutput(new RegExp(`"cause":"SIGHUP","changed":\\["${USERS}"\\]`));
    expect([await logIn(node, 'one'), await logIn(node, 'two')]).toEqual([REFUSED, 201]);
  });

  test('refuses wrong settings, tells all that is wrong, and goes on', async () => {
    await write(directory, { ...NEVER, ...ann('three'), 'sso.dialect': 'x', 'sso.workers': 'few' });
    node.program.signal('SIGHUP');
    await until('it is refused', () => reloads(node.program).length === 2);
    expect(reloads(node.program)[1]).toMatchObject({
      level: 'warn',
      problems: [
        expect.stringMatching(/^sso\.dialect: /),
        expect.stringMatching(/^sso\.workers: /),
      ],
    });
    expect([await logIn(node, 'three'), await logIn(node, 'two')]).toEqual([REFUSED, 201]);
  });

  test('takes over a changed file, and its own log levels', async () => {
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
    await until('it is taken over', async () => (await logIn(node, 'seven')) === 201);
  });
});

describe('a program that starts', () => {
  test.each<[ProgramName, string[]]>([
    ['sso', ['--profiles.active=dev', '--sso.port=0']],
    ['config-server', ['--profiles.active=dev', '--config-server.port=0']],
  ])('keeps SIGHUP for later: %s', async (name, args) => {
    const places = [`--database.url=${database.url}`, '--sso.services.import='];
    const argv = [...args, ...(name === 'sso' ? places : [])];
    const program = Program.start(name, argv, { cwd: folder });
    await until('it heeds the signal', () => heedsHangUps(program.pid));
    program.signal('SIGHUP');
    await program.waitForOutput(/"cause":"SIGHUP"/);
    expect(reloads(program)).toHaveLength(1);
    expect(await program.stop()).toMatchObject({ code: 0 });
  });
});

/** @see proc(5): the signals that are caught, SIGHUP as the last bit */
async function heedsHangUps(pid: number): Promise<boolean> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return BigInt(`0x${/^SigCgt:\s*(\w+)$/m.exec(status)?.[1] ?? '0'}`) % 2n === 1n;
}

// At a terminal: test/tour/end-of-start.spec.ts.
test('npm start passes SIGHUP on, to what is just starting when it has started', async () => {
  const settings = ['config-server', '--profiles.active=dev', '--config-server.port=0'];
  const fleet = Program.start('cli', ['start', ...settings], { cwd: folder });
  await until('it heeds the signal', () => heedsHangUps(fleet.pid));
  for (const count of [1, 2]) {
    fleet.signal('SIGHUP');
    await fleet.waitForOutput(/Ctrl-C stops everything/);
    await until('it is passed on', () => reloads(fleet).length === count);
  }
  expect(await fleet.stop()).toMatchObject({ code: 0 });
});

describeWithVault('polling', () => {
  const EVERY = { ...NEVER, 'settings.reload.remote-interval': '1s' };
  let vault: Vault;
  let server: ConfigServer;
  let node: SsoNode;
  let served: string;

  beforeAll(async () => {
    vault = await Vault.start();
    await vault.put('sso', ann('one'));
    served = await home('served', {});
    server = await startConfigServer([`--config-server.native.location=${served}`]);
    const env = {
      VAULT_URI: vault.url,
      VAULT_TOKEN: Vault.rootToken,
      VAULT_RETRY_MAX_ATTEMPTS: '1',
      SSO_CONFIG_SERVER_URL: server.url,
    };
    node = await start(await home('polls', EVERY), [], env);
  });
  afterAll(async () => {
    await Promise.all([vault.stop(), server.close()]);
  });

  test('takes over what Vault has', async () => {
    await vault.put('sso', ann('two'));
    await until('it is taken over', async () => (await logIn(node, 'two')) === 201);
    expect(reloads(node.program)).toEqual([
      expect.objectContaining({ cause: 'polling', changed: [USERS] }),
    ]);
  });

  test('takes over what the config server has', async () => {
    await write(served, { [ROLE]: 'group', 'sso.rest.services.role-value': 'ops' });
    await node.program.waitForOutput(new RegExp(`"cause":"polling","changed":\\["${ROLE}",`));
  });

  test('keeps everything while Vault is unavailable, and logs it once', async () => {
    const before = reloads(node.program).length;
    await vault.seal();
    const refused = () => reloads(node.program).slice(before);
    await until('it is refused', () => refused().length > 0);
    expect(await logIn(node, 'two')).toBe(201);
    await vault.unseal();
    await until('it is well again', () => refused().length > 1);
    expect(refused().map(({ msg }) => msg)).toEqual([
      'settings were not reloaded: the current ones stay',
      'settings were read again: none has changed',
    ]);
  });
});

describe('several processes', () => {
  let directory: string;
  let node: SsoNode;

  beforeAll(async () => {
    directory = await home('several', { ...NEVER, ...ann('one') });
    node = await start(directory, ['--sso.workers=2']);
    await node.program.waitForOutput(/(?:"msg":"listening"[^]*){2}/);
    node.program.signal('SIGHUP');
    await node.program.waitForOutput(/"cause":.*SIGHUP/);
  });

  const workers = (): readonly number[] => treeOf(node.program.pid).slice(1);

  /** Logs in until each worker has answered, and says how they did. */
  async function answers(password: string): Promise<Set<number>> {
    const statuses = new Set<number>();
    const { length } = node.program.stdout;
    await until('each worker has answered', async () => {
      statuses.add(await logIn(node, password));
      const said = node.program.stdout.slice(length);
      return workers().every((pid) => said.includes(`"pid":${pid},"logger":"authentication"`));
    });
    return statuses;
  }

  test('reload all, whichever is asked by a call', async () => {
    await write(directory, { ...NEVER, ...ann('two') });
    const headers = { host: 'localhost' };
    const { status, body } = await http('POST', baseOf(node), '/actuator/refresh', { headers });
    expect([status, JSON.parse(body)]).toEqual([200, [USERS]]);
    expect(await answers('two')).toEqual(new Set([201]));
    expect(await answers('one')).toEqual(new Set([REFUSED]));
  });

  test('reload all, whichever is sent a SIGHUP', async () => {
    for (const [index, pid] of [node.program.pid, ...workers()].entries()) {
      await write(directory, { ...NEVER, ...ann(`${index}`) });
      const before = reloads(node.program).length;
      signalAll([pid], 'SIGHUP');
      await until('it is logged', () => reloads(node.program).length > before);
      expect(await answers(`${index}`)).toEqual(new Set([201]));
    }
    expect(workers()).toHaveLength(2);
  });

  test('all refuse what is wrong', async () => {
    await write(directory, { ...NEVER, ...ann('wrong'), 'sso.dialect': 'x' });
    const headers = { host: 'localhost' };
    const { status } = await http('POST', baseOf(node), '/actuator/refresh', { headers });
    expect(status).toBe(409);
    expect(await answers('wrong')).toEqual(new Set([REFUSED]));
  });

  test('have the current settings after one has died, until the next reload', async () => {
    await write(directory, { ...NEVER, ...ann('new') });
    const [killed = 0] = workers();
    signalAll([killed], 'SIGKILL');
    await until('another has taken its place', () => {
      const started = new RegExp(`"pid":(?!${killed})\\d+[^\\n]*"msg":"listening"`, 'g');
      return workers().length === 2 && [...node.program.stdout.matchAll(started)].length >= 2;
    });
    expect(await answers('new')).toEqual(new Set([REFUSED]));
    const before = reloads(node.program).length;
    node.program.signal('SIGHUP');
    await until('all have applied it', () => reloads(node.program).length > before);
    expect(await answers('new')).toEqual(new Set([201]));
  });
});
