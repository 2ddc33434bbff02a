// What is logged of OpenID Connect at the lowest level, and how errors of the server are answered.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import * as client from 'openid-client';
import { configureLogging } from '@tessera/logging';
import { ClientSecrets, RegisteredServiceEntity, ServiceStore } from '@tessera/services';
import { OidcStore } from '../../apps/sso/src/oidc/storage/oidc-store.js';
import { CookieBrowser } from '../support/cookie-browser.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { http, type Reply } from '../support/http.js';
import { discover, OIDC_SETTINGS, requestOf, startOidc } from '../support/oidc-client.js';
import { authorize, clientNamed, CONFIDENTIAL, post, redeem } from '../support/oidc-flows.js';
import { endPrograms } from '../support/process.js';
import { BASE_URL, type Sso } from '../support/sso.js';
import { startNode, type SsoNode } from '../support/sso-node.js';

const SCOPE = 'openid profile offline_access';
const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
const WRONG_SECRET = 'hunter2-in-the-log';

type Form = Readonly<Record<string, string>>;

const part = (content: object): string =>
  Buffer.from(JSON.stringify(content)).toString('base64url');

/** Calls a server in all ways that show it something confidential. @returns that */
class Visitor {
  readonly confidential: string[] = [WRONG_SECRET];
  private readonly browser: CookieBrowser;

  constructor(
    private readonly server: { readonly url: string },
    private readonly secret: string,
  ) {
    this.browser = new CookieBrowser(server.url);
    this.confidential.push(secret, Buffer.from(`back:${secret}`).toString('base64'));
  }

  async visit(): Promise<void> {
    await this.browser.signIn();
    await this.signIn();
    await this.pushRequest();
    await this.failToAuthenticate();
    await this.failToAuthorize();
  }

  private keep(...texts: readonly (string | null | undefined)[]): void {
    this.confidential.push(...texts.filter((text): text is string => Boolean(text)));
  }

  private post(path: string, form: Form): Promise<Reply> {
    const basic = ['back', this.secret];
    return post(this.server, path, form, { basic });
  }

  private async signIn(): Promise<void> {
    const config = await discover(this.server, 'back', this.secret);
    const DPoP = client.getDPoPHandle(config, await client.randomDPoPKeyPair('ES256'));
    const answered = await authorize(config, this.browser, { scope: SCOPE });
    const { searchParams } = answered.url;
    this.keep(searchParams.get('code'), searchParams.get('state'), answered.checks.expectedNonce);
    this.keep(answered.checks.pkceCodeVerifier);
    const tokens = await redeem(config, answered);
    this.keep(tokens.access_token, tokens.refresh_token, tokens.id_token);
    const { access_token: token } = tokens;
    await client.fetchUserInfo(config, token, 'casuser');
    await client.fetchUserInfo(config, token, 'casuser', { DPoP }).catch(() => {});
    await http('GET', this.server.url, `/oidc/userinfo?access_token=${token}`);
    await post(this.server, '/userinfo', { access_token: token });
    await this.post('/introspect', { token });
    const refreshed = await client.refreshTokenGrant(config, tokens.refresh_token ?? '');
    this.keep(refreshed.access_token, refreshed.refresh_token);
    await client.refreshTokenGrant(config, tokens.refresh_token ?? '').catch(() => {});
    await redeem(config, answered).catch(() => {});
    const { access_token: own } = await client.clientCredentialsGrant(config);
    this.keep(own);
    await client.tokenRevocation(config, own);
  }

  private async pushRequest(): Promise<void> {
    const { address } = await requestOf(await discover(this.server, 'back', this.secret));
    const form = Object.fromEntries(new URL(address).searchParams);
    this.keep(form['state'], form['nonce']);
    const { request_uri: uri } = JSON.parse((await this.post('/par', form)).body) as Form;
    this.keep(uri);
    const query = new URLSearchParams({ client_id: 'back', request_uri: uri ?? '' }).toString();
    await this.browser.open(`${BASE_URL}/oidc/authorize?${query}`);
    await this.browser.open(`${BASE_URL}/oidc/authorize?${query}`);
  }

  private async failToAuthenticate(): Promise<void> {
    const form = { grant_type: 'client_credentials' };
    await post(this.server, '/token', form, { basic: ['back', WRONG_SECRET] });
    await post(this.server, '/token', { ...form, client_id: 'back', client_secret: WRONG_SECRET });
    const claims = part({ sub: 'key', iss: 'key', jti: '1', exp: 1, aud: BASE_URL });
    for (const header of [part({ alg: 'none' }), part({ alg: 'ES256' }), 'not-json-at-all']) {
      const assertion = `${header}.${claims}.signature-of-the-assertion`;
      this.keep(assertion, claims, 'signature-of-the-assertion');
      const fields = { client_assertion: assertion, client_assertion_type: ASSERTION_TYPE };
      await post(this.server, '/token', { ...form, ...fields });
    }
    const proof = `${part({ typ: 'dpop+jwt' })}.proof-of-possession.x`;
    this.keep(proof, 'proof-of-possession');
    await http('POST', this.server.url, '/oidc/token', {
      form: { ...form, client_id: 'web', code: 'code-of-nobody', grant_type: 'authorization_code' },
      headers: { dpop: proof },
    });
    this.keep('code-of-nobody', 'geheim');
  }

  private async failToAuthorize(): Promise<void> {
    const config = await discover(this.server, 'web');
    for (const parameters of [
      { client_id: 'nobody' },
      { redirect_uri: 'https://evil.example.org/\u001b[2J?geheim=1' },
      { prompt: 'none', max_age: '0' },
      { id_token_hint: 'hint-of-nobody.x.y' },
      { request: `${part({ alg: 'none' })}.request-object.x` },
    ]) {
      const { address, checks } = await requestOf(config, parameters);
      this.keep(checks.expectedState as string, 'hint-of-nobody', 'request-object');
      await this.browser.open(address);
    }
  }
}

const SERVICES = [
  clientNamed('web'),
  clientNamed('back', CONFIDENTIAL),
  clientNamed('key', {
    ...CONFIDENTIAL,
    tokenEndpointAuthMethod: 'private_key_jwt',
    jwksUri: 'https://client.example.org/jwks',
  }),
];

function expectNothingConfidential(text: string, { confidential }: Visitor): void {
  expect(confidential.length).toBeGreaterThan(20);
  for (const each of confidential) expect(text).not.toContain(each);
}

describe('the built program', () => {
  let database: TestDatabase;
  let node: SsoNode;
  let visitor: Visitor;

  beforeAll(async () => {
    database = await createTestDatabase({ entities: [RegisteredServiceEntity] });
    const store = ServiceStore.of(database.dataSource);
    for (const service of SERVICES) await store.add(service);
    const { id = '' } = (await store.findByClientId('back')) ?? {};
    const { secret } = await new ClientSecrets(database.dataSource.manager).add(id);
    const debug = ['--logging.level.root=debug', '--logging.level.server=debug'];
    node = await startNode(database.url, [
      ...OIDC_SETTINGS,
      `--sso.base-url=${BASE_URL}`,
      ...debug,
    ]);
    visitor = new Visitor({ url: `http://127.0.0.1:${node.port}/cas` }, secret);
    await visitor.visit();
    await node.program.stop();
  });
  afterAll(async () => {
    await endPrograms();
    await database.drop();
  });

  test('logs requests without their queries, and why clients were refused', () => {
    const { stdout } = node.program;
    for (const text of [
      '"path":"/cas/oidc/token"',
      '"msg":"a client was refused"',
      '"redirectUri":"https://evil.example.org/\\\\u001b[2J"',
    ]) {
      expect(stdout).toContain(text);
    }
  });

  test('logs no code, token, secret, state, assertion or proof', () => {
    expectNothingConfidential(node.program.stdout, visitor);
  });

  test('writes lines of the log alone: the library writes nothing itself', () => {
    expect(node.program.stderr).toBe('');
    for (const line of node.program.stdout.trimEnd().split('\n')) {
      expect(() => JSON.parse(line) as unknown).not.toThrow();
    }
  });
});

describe('an error of the server', () => {
  let sso: Sso;
  const lines: string[] = [];
  const UNAVAILABLE =
    '{"error":"temporarily_unavailable","error_description":"Service temporarily unavailable"}';

  beforeAll(async () => {
    const write = (line: string): unknown => lines.push(line);
    configureLogging({ application: 'sso', levels: { root: 'debug' }, write });
    sso = await startOidc({ services: SERVICES });
  });
  afterAll(async () => {
    await sso.close();
    configureLogging({ application: 'sso', levels: {} });
  });

  const token = (form: Form = {}) =>
    post(sso, '/token', { grant_type: 'refresh_token', refresh_token: 'x', ...form });
  const authorization = async (): Promise<Reply> => {
    const browser = new CookieBrowser(sso.url);
    const { address } = await requestOf(await discover(sso, 'web'));
    return browser.open(address);
  };
  const CALLS: readonly [string, () => Promise<Reply>][] = [
    ['a refresh', () => token({ client_id: 'web' })],
    ['a secret', () => post(sso, '/token', {}, { basic: ['back', 'wrong'] })],
    ['an unknown client', () => token({ client_id: 'nobody' })],
    ['a revocation', () => post(sso, '/revoke', { token: 'x', client_id: 'web' })],
    [
      'userinfo',
      () => http('GET', sso.url, '/oidc/userinfo', { headers: { authorization: 'Bearer x' } }),
    ],
  ];

  test.each(CALLS)('%s without a database is answered 503', async (_, call) => {
    await sso.databaseProxy.set('refuse');
    const reply = await call();
    await sso.databaseProxy.set('open');
    expect(reply).toMatchObject({ status: 503, body: UNAVAILABLE });
    expect(reply.headers).toMatchObject({ 'retry-after': '2', 'cache-control': 'no-store' });
    expect(reply.headers['www-authenticate']).toBeUndefined();
  });

  test('a page without a database is answered 503 too', async () => {
    await sso.databaseProxy.set('refuse');
    const reply = await authorization();
    await sso.databaseProxy.set('open');
    expect(reply).toMatchObject({ status: 503, headers: { 'retry-after': '2' } });
    expect(reply.body).toContain('Signing in is not possible at the moment');
  });

  test('that nobody expects is logged, with the reference that the page has', async () => {
    const store = sso.application.get(OidcStore, { strict: false });
    const { add, find, save } = store;
    const fail = (): Promise<never> => Promise.reject(new Error('a fault of ours'));
    Object.assign(store, { add: fail, find: fail, save: fail });
    lines.length = 0;
    const [page, answer] = [await authorization(), await token({ client_id: 'web' })];
    Object.assign(store, { add, find, save });
    expect(answer).toMatchObject({
      status: 500,
      body: '{"error":"server_error","error_description":"Internal error"}',
    });
    expect(page.status).toBe(500);
    for (const reply of [page, answer]) expect(reply.body).not.toContain('a fault of ours');
    const logged = lines
      .map((line) => JSON.parse(line) as Readonly<Record<string, string>>)
      .filter(({ msg }) => msg === 'answered 500');
    expect(logged).toHaveLength(2);
    expect(JSON.stringify(logged)).toContain('a fault of ours');
    expect(page.body).toContain(logged[0]?.['requestId']);
  });
});
