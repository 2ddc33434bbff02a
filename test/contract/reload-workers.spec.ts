// Workers of the built program that die: a replacement serves the current settings, whatever the sources contain by then.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
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
const AUTHENTICATION = '"logger":"authentication"';
const BEGINNING = {
  'sso.workers': WORKERS,
  'sso.base-url': 'http://old.example.org/cas',
  'sso.authentication.handlers': ['static'],
  'settings.reload': { 'file-interval': '0s', 'remote-interval': '0s' },
  'logging.level': { settings: 'info', authentication: 'info' },
};

/** A login that went well, before anything was changed. */
const OLD_PLACE = '201 http://old.example.org/cas';

let folder: string;
let database: TestDatabase;
let directory: string;
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

const users = (password: string): object => ({
  'sso.authentication.static.users': [`ann::${password}`],
});

function write(settings: object): Promise<void> {
  return writeFile(join(directory, 'sso.yml'), JSON.stringify({ ...BEGINNING, ...settings }));
}

async function start(
  name: string,
  settings: object,
  env: Record<string, string> = {},
): Promise<void> {
  directory = join(folder, name);
  await mkdir(directory);
  await write(settings);
  node = await startNode(database.url, [`--settings.location=${directory}`], env);
  await said(LISTENING, WORKERS);
}

async function said(pattern: RegExp, times: number): Promise<void> {
  const count = (): number => [...node.program.stdout.matchAll(pattern)].length;
  await until(`${pattern} is said ${times} times`, () => count() >= times);
}

const workers = (): readonly number[] => treeOf(node.program.pid).slice(1);

/** Kills one of them, and waits for the next one. */
async function replaceWorker(): Promise<void> {
  const [killed = 0, ...others] = workers();
  const { length: listening } = [...node.program.stdout.matchAll(LISTENING)];
  signalAll([killed], 'SIGKILL');
  await said(LISTENING, listening + 1);
  expect(workers()).toHaveLength(WORKERS);
  expect(workers()).toEqual(expect.arrayContaining(others));
  expect(workers()).not.toContain(killed);
}

/** Of each worker, the status of the answer, and where it says that the ticket is. */
async function answers(password: string): Promise<Set<string>> {
  const seen = new Set<string>();
  const { length } = node.program.stdout;
  await until('each worker has answered', async () => {
    const form = { username: 'ann', password };
    const base = `http://127.0.0.1:${node.port}/cas`;
    const { status, headers } = await http('POST', base, '/v1/tickets', { form });
    seen.add([status, headers.location?.replace(/\/v1.*/, '') ?? ''].join(' ').trim());
    const lines = node.program.stdout.slice(length);
    return workers().every((pid) => lines.includes(`"pid":${pid},${AUTHENTICATION}`));
  });
  return seen;
}

test('where files are wrong, and where they hold what waits for a restart', async () => {
  await start('files', users('old'));
  await write({ ...users('new'), 'sso.dialect': 'x' });
  await replaceWorker();
  expect(await answers('old')).toEqual(new Set([OLD_PLACE]));
  await write({ ...users('new'), 'sso.services.skip-unreadable': true });
  node.program.signal('SIGHUP');
  await said(/"restart":\["sso.services.skip-unreadable"\]/g, 1);
  await replaceWorker();
  expect(await answers('new')).toEqual(new Set([OLD_PLACE]));
  expect(await answers('old')).toEqual(new Set(['400']));
});

describeWithVault('when Vault is unavailable', () => {
  let vault: Vault;

  beforeEach(async () => {
    vault = await Vault.start();
  });
  afterAll(() => vault.stop());

  test('and no secret is in the log', async () => {
    await vault.put('sso', users('geheim'));
    const VAULT_TOKEN = Vault.rootToken;
    const env = { VAULT_URI: vault.url, VAULT_TOKEN, VAULT_RETRY_MAX_ATTEMPTS: '1' };
    await start('vault', {}, env);
    await vault.seal();
    await replaceWorker();
    expect(await answers('geheim')).toEqual(new Set([OLD_PLACE]));
    expect(node.program.stdout + node.program.stderr).not.toContain('geheim');
  });
});
