// The events of the config server in the audit trail.
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { sha256 } from '@tessera/crypto';
import { runTessera } from '../support/command-line.js';
import {
  type ReloadableConfigServer,
  startConfigServerFromFile,
} from '../support/config-server.js';
import { startConfigServerNode } from '../support/config-server-node.js';
import { createEmptyDatabase } from '../support/database.js';
import { makeFolder, removeFolder } from '../support/folders.js';
import { http, type Reply } from '../support/http.js';
import { endPrograms } from '../support/process.js';
import { DatabaseProxy } from '../support/tcp-proxy.js';
import { until } from '../support/until.js';

interface Line {
  readonly action: string;
  readonly outcome: string;
  readonly reason?: string;
  readonly principal?: string;
  readonly subject?: string;
  readonly clientAddress?: string;
  readonly application?: string;
  readonly requestId?: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

const SECRET = 'pass+word-of-orders';
const TOKEN = 'token-of-ops';
const CLIENTS = {
  ops: {
    'token-hash': sha256(TOKEN),
    applications: ['*'],
    permissions: ['read', 'encrypt', 'decrypt', 'refresh'],
  },
  orders: { 'token-hash': sha256('t-orders'), applications: ['orders'], permissions: ['read'] },
};

afterEach(endPrograms);

let database: Awaited<ReturnType<typeof createEmptyDatabase>>;
let proxy: DatabaseProxy;
let folder: string;
let server: ReloadableConfigServer;
let cipher: string;
/** The number of events before a test. */
let before = 0;

const settings = (more: object = {}): object => ({
  'encrypt.key': 'a-key-for-all-values',
  'config-server.native.location': join(folder, 'repo'),
  'config-server.clients': CLIENTS,
  'config-server.throttle.threshold': 3,
  'database.url': proxy.url,
  'database.pool-size': 2,
  ...more,
});

beforeAll(async () => {
  database = await createEmptyDatabase();
  proxy = new DatabaseProxy(database.url);
  // Its port stays the same from now on.
  await proxy.set('open');
  await proxy.set('refuse');
  folder = await makeFolder();
  await mkdir(join(folder, 'repo'));
  await writeFile(join(folder, 'repo/orders.yml'), 'limit: 7\n');
  await writeFile(join(folder, 'repo/nginx.conf'), 'port 80\n');
  server = await startConfigServerFromFile(folder, settings());
  cipher = (await call('/encrypt/orders/prod', SECRET)).body;
});
afterAll(async () => {
  await server?.close();
  await proxy?.close();
  await removeFolder(folder);
  await database?.drop();
});

function call(path: string, body?: string, token = TOKEN): Promise<Reply> {
  const headers = { 'content-type': 'text/plain', authorization: `Bearer ${token}` };
  return http(body === undefined ? 'GET' : 'POST', server.url, path, {
    headers,
    ...(body !== undefined && { body }),
  });
}

async function search(): Promise<readonly Line[]> {
  const args = ['audit', '--json', '--limit', '1000', `--database.url=${database.url}`];
  const { stdout } = await runTessera(args);
  for (const secret of [
    SECRET,
    TOKEN,
    cipher,
    't-orders',
    'wrong-again',
    'wrong-token',
    'a-key-for-all-values',
  ]) {
    expect(stdout).not.toContain(secret);
  }
  return stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Line);
}

/** Waits for so many further events. */
const events = (count: number): Promise<readonly Line[]> =>
  until(
    `${count} events`,
    async () => {
      const found = (await search()).slice(before);
      return found.length >= count && found;
    },
    8_000,
  );

const inShort = ({ action, outcome, reason, principal, subject, details }: Line): string =>
  [
    action,
    outcome,
    reason,
    principal,
    subject,
    details && JSON.stringify({ ...details, pid: undefined }),
  ]
    .filter(Boolean)
    .join(' ');

test('events from before the database was available are stored when it is', async () => {
  await call('/orders/prod');
  expect((await call('/decrypt/orders/prod', cipher)).body).toBe(SECRET);
  await proxy.set('open');
  const found = await events(3);
  expect(found.map(inShort)).toEqual([
    'ENCRYPT success ops orders/prod {"alias":"default"}',
    'READ_CONFIG success ops orders/prod',
    'DECRYPT success ops orders/prod {"alias":"default"}',
  ]);
  for (const each of found) {
    expect(each).toMatchObject({
      application: 'config-server',
      clientAddress: '127.0.0.1',
      requestId: expect.stringMatching(/^[A-Za-z0-9]{10}-\d+$/),
    });
  }
});

test.each<[string, () => Promise<Reply>, number, string]>([
  [
    'a wrong token',
    () => call('/encrypt', SECRET, 'wrong-token'),
    401,
    'ENCRYPT failure CALLER_UNKNOWN',
  ],
  [
    'a client that may not decrypt',
    () => call('/decrypt/orders/prod', cipher, 't-orders'),
    403,
    'DECRYPT failure CALLER_NOT_ALLOWED orders orders/prod',
  ],
  [
    'a text of another key',
    () => call('/decrypt', `${cipher}00`),
    400,
    'DECRYPT failure TEXT_UNDECRYPTABLE ops',
  ],
  [
    'an unknown key',
    () => call('/encrypt', `{key:${SECRET}}x`),
    400,
    'ENCRYPT failure KEY_UNKNOWN ops',
  ],
  [
    'a selector that is a secret',
    () => call('/encrypt', `{name-of-no-selector:${SECRET}}x`),
    400,
    'ENCRYPT failure SELECTOR_UNKNOWN ops',
  ],
  [
    'an application of others',
    () => call('/billing/prod', undefined, 't-orders'),
    403,
    'READ_CONFIG failure CALLER_NOT_ALLOWED orders billing/prod',
  ],
  [
    'a reader that nobody knows',
    () => call('/orders/prod/main', undefined, 'wrong-token'),
    401,
    'READ_CONFIG failure CALLER_UNKNOWN orders/prod/main',
  ],
  [
    'a file that is not there',
    () => call('/orders/prod/main/none.conf'),
    404,
    'READ_CONFIG failure FILE_UNKNOWN ops orders/prod/main/none.conf',
  ],
  [
    'a plain file',
    () => call('/orders/prod/nginx.conf?useDefaultLabel'),
    200,
    'READ_CONFIG success ops orders/prod//nginx.conf',
  ],
])('%s is recorded', async (_rule, request, status, event) => {
  before = (await search()).length;
  expect((await request()).status).toBe(status);
  expect((await events(1)).map(inShort)).toEqual([event]);
});

test('paths that name no settings are not recorded', async () => {
  before = (await search()).length;
  await call('/favicon.ico');
  await call('/a/b%2fc');
  await call('/orders-dev.json');
  expect((await events(1)).map(inShort)).toEqual(['READ_CONFIG success ops orders/dev']);
});

test('failed logins that are throttled are recorded', async () => {
  before = (await search()).length;
  for (let attempt = 0; attempt < 4; attempt += 1) await call('/encrypt', 'x', 'wrong-again');
  const found = await events(4);
  expect(found.at(-1)?.reason).toBe('AUTHENTICATION_THROTTLED');
});

test.each([
  ['audit.enabled', []],
  ['config-server.audit.reads', ['ENCRYPT success ops {"alias":"default"}']],
])('%s=false counts at once, and both changes are recorded', async (key, left) => {
  before = (await search()).length;
  await server.reload(settings({ [key]: false }));
  await call(`/orders/without-${key.length}`);
  await call('/encrypt', SECRET);
  await server.reload(settings());
  await call(`/orders/with-${key.length}`);
  const found = await events(left.length + 3);
  const change = `RELOAD_SETTINGS success {"files":[],"changed":["${key}"],"restart":[]}`;
  expect(found.map(inShort)).toEqual([
    change,
    ...left,
    change,
    `READ_CONFIG success ops orders/with-${key.length}`,
  ]);
});

test('a requested reload is recorded', async () => {
  before = (await search()).length;
  expect((await call('/actuator/refresh', '')).status).toBe(200);
  const cause = 'POST /actuator/refresh from ops at 127.0.0.1';
  expect((await events(1)).map(inShort)).toEqual([`REQUEST_RELOAD success {"cause":"${cause}"}`]);
});

test('without a database no code of databases is loaded', async () => {
  const scripts = join(folder, 'scripts');
  const { program, url } = await startConfigServerNode(join(folder, 'repo'), ['--encrypt.key=k'], {
    // Node's own way to say which scripts a process has run.
    NODE_V8_COVERAGE: scripts,
  });
  expect((await http('POST', url, '/encrypt', { body: 'x' })).status).toBe(200);
  await program.stop();
  const [name = ''] = await readdir(scripts);
  const text = await readFile(join(scripts, name), 'utf8');
  expect(text).toContain('/apps/config-server/src/audit/config-audit.js');
  expect(text).not.toMatch(
    /node_modules\/typeorm|\/(?:libs\/(?:audit|database)|config-server\/src\/(?:audit\/config-audit-trail|database\/open-))/,
  );
});

test('a hundred equal reads are two events, the second one when the server stops', async () => {
  before = (await search()).length;
  for (let read = 0; read < 100; read += 1) await call('/orders/counted');
  await events(1);
  await server.close();
  const found = (await search())
    .slice(before)
    .filter(({ subject }) => subject === 'orders/counted');
  expect(found.map(inShort)).toEqual([
    'READ_CONFIG success ops orders/counted',
    'READ_CONFIG success ops orders/counted {"count":99}',
  ]);
  expect(found[1]).toMatchObject({ clientAddress: '127.0.0.1' });
  expect(found[1]?.requestId ?? null).toBeNull();
});
