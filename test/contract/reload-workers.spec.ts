// A built SSO with two workers: they reload together, whichever is asked, and what comes in the place of one that dies has the
// current settings, whatever the sources say by then.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startConfigServer, type ConfigServer } from '../support/config-server.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { makeFolder, removeFolder } from '../support/folders.js';
import { http } from '../support/http.js';
import { endPrograms } from '../support/process.js';
import { signalAll, treeOf } from '../support/process-table.js';
import { startNode, type SsoNode } from '../support/sso-node.js';
import { until } from '../support/until.js';
import { describeWithVault, Vault } from '../support/vault.js';

const WORKERS = 2;
const LISTENING = /"msg":"listening"/g;
const REPORTED = /"logger":"settings","cause":/g;
const USERS = 'sso.authentication.static.users';
const CHANNEL = 'settings_reload';
const START = {
  'sso.workers': WORKERS,
  'sso.authentication.handlers': ['static'],
  'settings.reload': { 'file-interval': '0s', 'remote-interval': '0s' },
  'logging.level': { settings: 'info', authentication: 'info' },
};

let folder: string;
let database: TestDatabase;
let node: SsoNode;

beforeAll(async () => {
  folder = await makeFolder();
  database = await createTestDatabase();
});
afterAll(async () => {
  await endPrograms();
  await database.drop();
  await removeFolder(folder);
});

const ann = (password: string): object => ({ [USERS]: [`ann::${password}`] });
const workers = (): readonly number[] => treeOf(node.program.pid).slice(1);
const count = (pattern: RegExp): number => [...node.program.stdout.matchAll(pattern)].length;

function write(settings: object): Promise<void> {
  return writeFile(join(folder, 'sso.yml'), JSON.stringify({ ...START, ...settings }));
}

async function start(env: Record<string, string> = {}): Promise<void> {
  node = await startNode(database.url, [`--settings.location=${folder}`], env);
  await until('all workers listen', () => count(LISTENING) === WORKERS);
}

/** Does what asks for a reload, and waits for its outcome in the log. */
async function reloadBy(ask: () => unknown): Promise<void> {
  const before = count(REPORTED);
  await ask();
  await until('the outcome is in the log', () => count(REPORTED) > before);
}

function refresh(): Promise<{ status: number; body: string }> {
  const headers = { host: 'localhost' };
  return http('POST', `http://127.0.0.1:${node.port}/cas`, '/actuator/refresh', { headers });
}

/** The statuses of logins, until each worker has answered. */
async function answers(password: string): Promise<Set<number>> {
  const seen = new Set<number>();
  const { length } = node.program.stdout;
  await until('each worker has answered', async () => {
    const form = { username: 'ann', password };
    const base = `http://127.0.0.1:${node.port}/cas`;
    seen.add((await http('POST', base, '/v1/tickets', { form })).status);
    const lines = node.program.stdout.slice(length);
    return workers().every((pid) => lines.includes(`"pid":${pid},"logger":"authentication"`));
  });
  return seen;
}

/** Kills one of them, and waits for the next one. */
async function replaceWorker(): Promise<void> {
  const [killed = 0, ...others] = workers();
  const before = count(LISTENING);
  signalAll([killed], 'SIGKILL');
  await until('another listens', () => count(LISTENING) > before);
  expect(workers()).toHaveLength(WORKERS);
  expect(workers()).toEqual(expect.arrayContaining(others));
  expect(workers()).not.toContain(killed);
}

test('workers reload together, and a replaced one has the current settings', async () => {
  await write(ann('0'));
  await start();
  await write(ann('1'));
  expect(await refresh()).toMatchObject({ status: 200, body: `["${USERS}"]` });
  expect(await answers('1')).toEqual(new Set([201]));
  expect(await answers('0')).toEqual(new Set([400]));

  for (const [index, pid] of [node.program.pid, ...workers()].entries()) {
    await write(ann(`signal ${index}`));
    await reloadBy(() => signalAll([pid], 'SIGHUP'));
    expect(await answers(`signal ${index}`)).toEqual(new Set([201]));
  }
  await write(ann('announced'));
  const announce = `select pg_notify('${CHANNEL}', 'another node')`;
  await reloadBy(() => database.dataSource.query(announce));
  expect(await answers('announced')).toEqual(new Set([201]));

  await write({ ...ann('refused'), 'sso.dialect': 'x' });
  expect((await refresh()).status).toBe(409);
  await replaceWorker();
  expect(await answers('refused')).toEqual(new Set([400]));
  expect(await answers('announced')).toEqual(new Set([201]));
  await write({ ...ann('last'), 'sso.services.skip-unreadable': true });
  await reloadBy(() => node.program.signal('SIGHUP'));
  expect(await answers('last')).toEqual(new Set([201]));
  await node.program.stop();
});

describeWithVault('settings in Vault and the config server', () => {
  let vault: Vault;
  let server: ConfigServer;
  let served: string;

  beforeAll(async () => {
    served = join(folder, 'served');
    await mkdir(served);
    vault = await Vault.start();
    server = await startConfigServer([`--config-server.native.location=${served}`]);
  });
  afterAll(() => Promise.all([vault.stop(), server.close()]));

  test('are polled, and reach a worker that is replaced while Vault is sealed', async () => {
    await vault.put('sso', ann('geheim'));
    await write({ 'settings.reload': { 'file-interval': '0s', 'remote-interval': '1s' } });
    await start({
      VAULT_URI: vault.url,
      VAULT_TOKEN: Vault.rootToken,
      VAULT_RETRY_MAX_ATTEMPTS: '1',
      SSO_CONFIG_SERVER_URL: server.url,
    });
    const isSaid = (text: string) => () => node.program.stdout.includes(text);
    await vault.put('sso', ann('geheimer'));
    await until('Vault is polled', isSaid(`"cause":"polling","changed":["${USERS}"]`));
    await writeFile(join(served, 'sso.yml'), 'sso.dialect: apereo');
    await until('the config server is polled', isSaid('"changed":["sso.dialect"]'));
    await vault.seal();
    await until('Vault is unavailable', isSaid('"problems"'));
    await replaceWorker();
    expect(await answers('geheimer')).toEqual(new Set([201]));
    await vault.unseal();
    await until('it is well again', isSaid('none has changed'));
    expect(node.program.stdout + node.program.stderr).not.toContain('geheim');
    expect(count(/"problems"/g)).toBe(1);
  });
});
