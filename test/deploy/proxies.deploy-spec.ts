// The files for nginx and HAProxy in deploy/, by the real programs in front of a node. Only addresses and paths are changed.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createTlsFiles } from '../clients/tls-files.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { makeFolder, removeFolder } from '../support/folders.js';
import { freePort } from '../support/free-port.js';
import { type Call, http, type Reply } from '../support/http.js';
import { endPrograms } from '../support/process.js';
import { type SsoNode, startNode } from '../support/sso-node.js';
import { until } from '../support/until.js';
import { edited } from './document-code.js';
import { completeNginx, NGINX as NGINX_PROGRAM, nginxArguments } from './nginx.js';

const HOST = 'login.example.org';
/** A client in the place of the file's 10.0.0.0/8, and another one. */
const [TRUSTED, STRANGER] = ['127.0.0.3', '127.0.0.2'];
const SPOOFED = { 'x-forwarded-for': '6.6.6.6', forwarded: 'for=6.6.6.6' };
const CREDENTIALS = { username: 'casuser', password: 'Mellon' };

interface Place {
  readonly folder: string;
  readonly port: number;
  readonly plainPort: number;
}

interface Proxy {
  readonly program: string;
  readonly file: string;
  /** What the file names, and what takes its place. */
  readonly edits: (place: Place) => readonly (readonly [string, string])[];
  /** The whole configuration around the file. */
  readonly complete: (text: string, folder: string) => string;
  readonly check: readonly string[];
  readonly start: (path: string, folder: string) => readonly string[];
}

const NGINX: Proxy = {
  program: NGINX_PROGRAM,
  file: 'deploy/nginx/tessera.conf',
  edits: ({ folder, port, plainPort }) => [
    ['listen 80;', `listen 127.0.0.1:${plainPort};`],
    ['listen 443 ', `listen 127.0.0.1:${port} `],
    [`/etc/nginx/certs/${HOST}.pem`, `${folder}/certificate.pem`],
    [`/etc/nginx/certs/${HOST}.key`, `${folder}/key.pem`],
    ['/var/log/nginx/tessera.log', `${folder}/log`],
    ['/var/log/nginx/error.log', `${folder}/error.log`],
  ],
  complete: completeNginx,
  check: ['-t'],
  start: nginxArguments,
};

const HAPROXY: Proxy = {
  program: process.env['HAPROXY'] ?? '/usr/sbin/haproxy',
  file: 'deploy/haproxy/haproxy.cfg',
  edits: ({ folder, port, plainPort }) => [
    ['bind :80', `bind 127.0.0.1:${plainPort}`],
    ['bind :443', `bind 127.0.0.1:${port}`],
    [`/etc/haproxy/certs/${HOST}.pem`, `${folder}/both.pem`],
  ],
  complete: (text) => text,
  check: ['-c'],
  start: (path) => ['-f', path],
};

const missing = [NGINX, HAPROXY].filter(({ program }) => !existsSync(program));
for (const { program } of missing) {
  process.stderr.write(`left out: the tests of proxies; there is no ${program}\n`);
}
const describeIfInstalled = missing.length === 0 ? describe : describe.skip;

describeIfInstalled.each([NGINX, HAPROXY])('$file', (proxy) => {
  let place: Place;
  let authority: string;
  let database: TestDatabase;
  let node: SsoNode;
  let running: ChildProcess;
  let log = '';

  beforeAll(async () => {
    const folder = await makeFolder();
    place = { folder, port: await freePort(), plainPort: await freePort() };
    const files = await createTlsFiles(folder);
    authority = await readFile(files.authority, 'utf8');
    const pem = await Promise.all([files.certificate, files.key].map((path) => readFile(path)));
    await writeFile(join(folder, 'both.pem'), Buffer.concat(pem));
    database = await createTestDatabase();
    node = await startNode(database.url, [
      `--sso.base-url=https://${HOST}/cas`,
      '--sso.proxies.trusted=127.0.0.1',
      '--logging.level.authentication=info',
    ]);
    await start(await configure());
  });
  afterAll(async () => {
    running?.kill('SIGTERM');
    await endPrograms();
    await database?.drop();
    await removeFolder(place.folder);
  });

  async function configure(): Promise<string> {
    const edits = [
      ...proxy.edits(place),
      ['127.0.0.1:8080', `127.0.0.1:${node.port}`],
      ['10.0.0.0/8', TRUSTED],
    ] as const;
    const text = edited(await readFile(proxy.file, 'utf8'), edits);
    const path = join(place.folder, 'proxy.conf');
    await writeFile(path, proxy.complete(text, place.folder));
    return path;
  }

  async function start(path: string): Promise<void> {
    const args = proxy.start(path, place.folder);
    const checked = spawnSync(proxy.program, [...proxy.check, ...args], { encoding: 'utf8' });
    expect([checked.status, checked.stdout, checked.stderr]).toEqual([0, expect.anything(), '']);
    running = spawn(proxy.program, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    running.stdout?.setEncoding('utf8').on('data', (text: string) => (log += text));
    await until('the proxy answers', () => call('GET', '/cas/health/live').then(isOk, () => false));
  }

  const isOk = ({ status }: Reply): boolean => status === 200;

  function call(method: string, path: string, options: Call = {}): Promise<Reply> {
    const tls = { ca: authority };
    return http(method, `https://localhost:${place.port}`, path, { ...options, tls });
  }

  test('redirects plain http to the one host, with path and query', async () => {
    const { status, headers } = await http(
      'GET',
      `http://localhost:${place.plainPort}`,
      '/cas/login?a=%0d%0ab',
      {
        headers: { host: 'evil.example' },
      },
    );
    expect([status, headers.location]).toEqual([301, `https://${HOST}/cas/login?a=%0d%0ab`]);
  });

  test('passes the login page on to everybody', async () => {
    const { status, body } = await call('GET', '/cas/login', { localAddress: STRANGER });
    expect(status).toBe(200);
    expect(body).toContain('<form');
  });

  test.each([
    '/cas/v1/tickets',
    '/cas/v1/tickets/',
    '/cas/%76%31/tickets',
    '/cas/v1',
    '/cas/actuator/refresh',
  ])('refuses %s to strangers', async (path) => {
    const options = { localAddress: STRANGER, form: CREDENTIALS };
    expect((await call('POST', path, options)).status).toBe(403);
  });

  test.each([
    '/cas//v1/tickets',
    '/cas/./v1/tickets',
    '/cas/x/../v1/tickets',
    '/CAS/V1/tickets',
    '/cas\\v1/tickets#',
  ])('lets strangers get no ticket by %s', async (path) => {
    const { status } = await call('POST', path, { localAddress: STRANGER, form: CREDENTIALS });
    expect([400, 403, 404]).toContain(status);
  });

  test('lets trusted machines log in, and tells the application their address, which they cannot choose', async () => {
    const wrong = { ...CREDENTIALS, password: 'wrong' };
    const options = { localAddress: TRUSTED, headers: SPOOFED };
    expect((await call('POST', '/cas/v1/tickets', { ...options, form: wrong })).status).toBe(400);
    await node.program.waitForOutput(new RegExp(`"clientAddress":"${TRUSTED}"`));
    expect(node.program.stdout).not.toContain('6.6.6.6');
    const login = await call('POST', '/cas/v1/tickets', { ...options, form: CREDENTIALS });
    expect(login.status).toBe(201);
  });

  test('logs no ticket', async () => {
    const options = { localAddress: TRUSTED, form: CREDENTIALS };
    const { headers } = await call('POST', '/cas/v1/tickets', options);
    const tgt = /TGT-\w+/.exec(String(headers.location))?.[0] ?? 'none';
    await call('GET', `/cas/v1/tickets/${tgt}`, { localAddress: TRUSTED });
    await call('GET', `/cas/serviceValidate?ticket=ST-secret&service=x`);
    const logged = async (): Promise<string> =>
      `${log}${await readFile(join(place.folder, 'log'), 'utf8').catch(() => '')}`;
    await until('the requests are logged', async () =>
      /v1\/tickets\/_ 200[^]*serviceValidate/.test(await logged()),
    );
    expect(await logged()).not.toMatch(/TGT-|ST-/);
  });
});
