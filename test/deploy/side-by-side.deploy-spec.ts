// deploy/nginx/side-by-side.conf, by a real nginx in front of a node and of a stand-in for the old server. Only addresses and
// paths are changed.
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { RegisteredServiceEntity, ServiceStore } from '@tessera/services';
import { PASSWORD, USER } from '../clients/running-service.js';
import { createTlsFiles } from '../clients/tls-files.js';
import { CookieBrowser } from '../clients/web/cookie-browser.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { FakeHttpServer, reply } from '../support/fake-http-server.js';
import { makeFolder, removeFolder } from '../support/folders.js';
import { freePort } from '../support/free-port.js';
import { endPrograms, Program } from '../support/process.js';
import { type SsoNode, startNode } from '../support/sso-node.js';
import { until } from '../support/until.js';
import { edited } from './document-code.js';
import { NGINX, nginxCommand } from './nginx.js';
import { OldCasServer } from './old-cas-server.js';

const FILE = 'deploy/nginx/side-by-side.conf';
const MOVED = String.raw`"~*^https(:|%3a)(//|%2f%2f)wiki\.example\.org(/|%2f|$)" new;`;

if (!existsSync(NGINX)) process.stderr.write(`left out: the tests of ${FILE}; no ${NGINX}\n`);
const describeIfInstalled = existsSync(NGINX) ? describe : describe.skip;

describeIfInstalled(FILE, () => {
  let folder: string;
  let port: number;
  let database: TestDatabase;
  let node: SsoNode;
  let old: OldCasServer;
  /** An application that has moved, and one that has not. */
  let wiki: FakeHttpServer;
  let files: FakeHttpServer;
  let nginx: Program;
  let browser: CookieBrowser;
  let host: string;

  beforeAll(async () => {
    folder = await makeFolder();
    port = await freePort();
    host = `https://localhost:${port}`;
    await createTlsFiles(folder);
    [old, wiki, files] = await Promise.all([
      OldCasServer.start(),
      FakeHttpServer.start(),
      FakeHttpServer.start(),
    ]);
    database = await createTestDatabase({ entities: [RegisteredServiceEntity] });
    const services = ServiceStore.of(database.dataSource);
    await services.add({ serviceId: `^${wiki.url}/.*`, name: 'wiki', logoutType: 'back' });
    // As docs/side-by-side.md registers them.
    await services.add({
      serviceId: `^${host}/cas/logout\\?new=ended$`,
      name: 'logout of the old server',
    });
    await services.add({
      serviceId: `^${host}/cas/login\\?client_name=tessera$`,
      name: 'old server',
      attributeRelease: { kind: 'all' },
      logoutType: 'back',
    });
    node = await startNode(
      database.url,
      [
        `--sso.base-url=${host}/sso`,
        '--sso.proxies.trusted=127.0.0.1',
        '--sso.dialect=apereo',
        `--sso.authentication.static.users=${USER}::${PASSWORD}`,
      ],
      { NODE_EXTRA_CA_CERTS: join(folder, 'authority.pem') },
    );
    nginx = Program.run(await nginxCommand(await configuration(true), folder));
    await until('nginx answers', () =>
      fetch(`${host}/sso/health/live`).then(
        ({ ok }) => ok,
        () => false,
      ),
    );
  });
  afterAll(async () => {
    await endPrograms();
    await Promise.all([old, wiki, files].map((server) => server?.stop()));
    await database?.drop();
    await removeFolder(folder);
  });
  beforeEach(() => {
    browser = new CookieBrowser();
    old.requests.length = 0;
    old.delegation = undefined;
    old.isBroken = false;
    for (const application of [wiki, files]) application.respondWith(reply(200, 'a page'));
  });

  /** @param hasMoved whether the line of the wiki is there */
  async function configuration(hasMoved: boolean): Promise<string> {
    const moved = `"~*^http(:|%3a)(//|%2f%2f)127\\.0\\.0\\.1(:|%3a)${new URL(wiki.url).port}(/|%2f|$)" new;`;
    const unused = await freePort();
    return edited(await readFile(FILE, 'utf8'), [
      [MOVED, hasMoved ? moved : ''],
      ['listen 80;', `listen 127.0.0.1:${unused};`],
      ['listen 443 ', `listen 127.0.0.1:${port} `],
      ['/etc/nginx/certs/login.example.org.pem', `${folder}/certificate.pem`],
      ['/etc/nginx/certs/login.example.org.key', `${folder}/key.pem`],
      ['/var/log/nginx/side-by-side.log', `${folder}/access.log`],
      ['/var/log/nginx/error.log', `${folder}/error.log`],
      ['https://login.example.org', host],
      ['server_name login.example.org', 'server_name localhost'],
      // Twice, so that nginx could send a request again.
      ['server 127.0.0.1:8090;', `server 127.0.0.1:${old.port}; server 127.0.0.1:${old.port};`],
      ['127.0.0.1:8080', `127.0.0.1:${node.port}`],
      ['10.0.0.0/8', '127.0.0.3'],
    ]);
  }

  const loginOf = (service: string): string =>
    `${host}/cas/login?service=${encodeURIComponent(service)}`;
  const serviceOf = (application: FakeHttpServer): string => `${application.url}/app`;
  /** Signs in to an application. @returns its ticket */
  const signIn = async (application: FakeHttpServer): Promise<string> => {
    const { url } = await browser.login(loginOf(serviceOf(application)));
    return url.searchParams.get('ticket') ?? '';
  };
  const validate = async (path: string, ticket: string, service: string): Promise<string> => {
    const query = new URLSearchParams({ ticket, service });
    return (await fetch(`${host}${path}?${query}`)).text();
  };
  const asksForPassword = async (application: FakeHttpServer): Promise<boolean> =>
    (await browser.open(loginOf(serviceOf(application)))).body.includes('name="password"');

  test.each([
    ['percent-encoded', (url: string) => encodeURIComponent(url)],
    ['as it is', (url: string) => url],
  ])(
    'sends the user of a moved application to the new server, its service %s',
    async (_how, encode) => {
      const { url, body } = await browser.open(
        `${host}/cas/login?service=${encode(serviceOf(wiki))}`,
      );
      expect(url.pathname).toBe('/sso/login');
      expect(body).toContain('name="password"');
      expect(old.requests).toEqual([]);
    },
  );

  test.each([
    ['another application', () => serviceOf(files)],
    ['a host that begins like it', () => `${wiki.url}.evil.example/`],
    ['a service that only names it', () => `${files.url}/app?next=${wiki.url}/app`],
    ['no application', () => ''],
  ])('leaves %s to the old server', async (_what, service) => {
    const { url } = await browser.open(loginOf(service()));
    expect(url.pathname).toBe('/cas/login');
    expect(old.requests).toHaveLength(1);
  });

  test.each(['/cas/serviceValidate', '/cas/p3/serviceValidate'])(
    'lets the server that granted a ticket validate it at %s, once',
    async (path) => {
      for (const application of [wiki, files]) {
        const ticket = await signIn(application);
        const service = serviceOf(application);
        expect(await validate(path, ticket, service)).toContain('<cas:authenticationSuccess>');
        expect(await validate(path, ticket, service)).toContain('INVALID_TICKET');
      }
    },
  );

  test('validates no ticket for an application of the other server', async () => {
    const forWiki = await signIn(wiki);
    const forFiles = await signIn(files);
    const answers = [
      await validate('/cas/serviceValidate', forWiki, serviceOf(files)),
      await validate('/cas/serviceValidate', forFiles, serviceOf(wiki)),
      await validate('/sso/serviceValidate', forFiles, serviceOf(files)),
    ];
    for (const answer of answers) expect(answer).toContain('<cas:authenticationFailure');
  });

  test('sends a validation by SAML 1.1 to the server of its TARGET', async () => {
    const reached = [];
    for (const application of [wiki, files]) {
      old.requests.length = 0;
      const target = encodeURIComponent(serviceOf(application));
      await fetch(`${host}/cas/samlValidate?TARGET=${target}`, { method: 'POST', body: '<x/>' });
      reached.push(old.requests.length);
    }
    expect(reached).toEqual([0, 1]);
  });

  test('sends a validation once, also where the old server breaks the connection', async () => {
    const ticket = await signIn(files);
    old.requests.length = 0;
    old.isBroken = true;
    expect(await validate('/cas/serviceValidate', ticket, serviceOf(files))).toContain('502');
    expect(old.requests).toHaveLength(1);
  });

  test('keeps the cookies of the two servers apart: each knows its session beside the other', async () => {
    await signIn(wiki);
    await signIn(files);
    expect(await asksForPassword(wiki)).toBe(false);
    expect(await asksForPassword(files)).toBe(false);
    for (const { cookie } of old.requests) expect(cookie).toMatch(/^$|^TGC=eyJ[^;]*$/);
  });

  test('names the one host, with the path of the new server, in its URLs', async () => {
    const body = new URLSearchParams({ username: USER, password: PASSWORD });
    const { status, headers } = await fetch(`${host}/sso/v1/tickets`, { method: 'POST', body });
    expect(status).toBe(201);
    expect(headers.get('location')).toMatch(`${host}/sso/v1/tickets/TGT-`);
  });

  test.each(['/cas/logout', '/sso/logout'])(
    'ends both sessions at %s, and tells the applications',
    async (path) => {
      await validate('/cas/serviceValidate', await signIn(wiki), serviceOf(wiki));
      await signIn(files);
      const { url, body } = await browser.open(`${host}${path}`);
      expect([url.pathname, body]).toEqual(['/cas/logout', 'Logout successful']);
      expect(await asksForPassword(wiki)).toBe(true);
      expect(await asksForPassword(files)).toBe(true);
      await until('the wiki is told', () => wiki.requests.some(({ method }) => method === 'POST'));
    },
  );

  test('signs users in once for both, if the old server lets the new one do it', async () => {
    old.delegation = { server: `${host}/sso`, callback: `${host}/cas/login?client_name=tessera` };
    const ticket = await signIn(files);
    expect(await validate('/cas/serviceValidate', ticket, serviceOf(files))).toContain(
      '<cas:authenticationSuccess>',
    );
    expect(await asksForPassword(wiki)).toBe(false);
    await browser.open(`${host}/sso/logout?service=${encodeURIComponent(serviceOf(wiki))}`);
    await until('the old server is told', () => asksForPassword(files));
  });

  test('logs no ticket', async () => {
    const ticket = await signIn(files);
    await validate('/cas/serviceValidate', ticket, serviceOf(files));
    const log = (): Promise<string> => readFile(join(folder, 'access.log'), 'utf8');
    await until('the validation is logged', async () =>
      (await log()).includes('/serviceValidate 200'),
    );
    expect(await log()).not.toMatch(/ST-|TGT-[A-Za-z0-9]/);
  });

  test('goes back by one line: the old server signs in again, and tickets of the new one stay valid', async () => {
    const ticket = await signIn(wiki);
    await nginxCommand(await configuration(false), folder);
    nginx.signal('SIGHUP');
    browser = new CookieBrowser();
    await until('the old server signs in', async () => {
      const { url } = await browser.open(loginOf(serviceOf(wiki)));
      return url.pathname === '/cas/login';
    });
    expect(await validate('/cas/serviceValidate', ticket, serviceOf(wiki))).toContain(
      '<cas:authenticationSuccess>',
    );
    expect(await signIn(wiki)).toMatch(/^ST-\d+-/);
  });
});
