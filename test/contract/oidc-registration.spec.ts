// Clients that register themselves with an initial access token. @see RFC 7591, OpenID Connect Dynamic Client Registration 1.0
import { generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import * as client from 'openid-client';
import { ReloadableSettings } from '@tessera/config';
import { sha256 } from '@tessera/crypto';
import { configureLogging } from '@tessera/logging';
import { InitialAccessTokens, ServiceRegistry, ServiceStore } from '@tessera/services';
import { SsoSettings } from '../../apps/sso/src/settings/sso-settings.js';
import { CookieBrowser } from '../support/cookie-browser.js';
import { answerIn, askedIn, STANDARD } from '../support/consent-browser.js';
import { FakeHttpServer, reply } from '../support/fake-http-server.js';
import { makeFolder, removeFolder } from '../support/folders.js';
import { http, type Reply } from '../support/http.js';
import {
  fetchFrom,
  ISSUER,
  newSecret,
  OIDC_SETTINGS,
  REDIRECT_URI,
  requestOf,
  startOidc,
} from '../support/oidc-client.js';
import { clientNamed, CONFIDENTIAL, post } from '../support/oidc-flows.js';
import { BASE_URL, hostSso, type Sso } from '../support/sso.js';
import { until } from '../support/until.js';

const METADATA = { redirect_uris: [REDIRECT_URI], client_name: 'Photos' };

const PUBLIC_KEY = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const JWK = PUBLIC_KEY.publicKey.export({ format: 'jwk' });
const PRIVATE_JWK = PUBLIC_KEY.privateKey.export({ format: 'jwk' });
const OUTSIDE = 'https://203.0.113.7';
const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';

type Members = Readonly<Record<string, unknown>>;

let sso: Sso;
/** Valid. */
let token: string;
let host = 1;

const tokens = () => new InitialAccessTokens(sso.database.dataSource.manager);
const newToken = async (): Promise<string> => (await tokens().add(600)).token;

interface Sent {
  /** Undefined for none. */
  readonly authorization?: string | undefined;
  readonly body?: string;
  readonly type?: string;
  readonly search?: string;
  readonly origin?: string;
  readonly localAddress?: string;
}

function send(metadata: unknown, { search = '', localAddress, ...sent }: Sent): Promise<Reply> {
  const { authorization, type = 'application/json', origin, body } = sent;
  return http('POST', sso.url, `/oidc/register${search}`, {
    headers: {
      'content-type': type,
      ...(authorization !== undefined && { authorization }),
      ...(origin !== undefined && { origin, cookie: 'TGC=x' }),
    },
    body: body ?? JSON.stringify(metadata),
    ...(localAddress !== undefined && { localAddress }),
  });
}

const register = (metadata: unknown, sent: Sent = {}): Promise<Reply> =>
  send(metadata, { authorization: `Bearer ${token}`, ...sent });

const membersOf = ({ body }: Reply): Members => JSON.parse(body) as Members;

async function registered(metadata: object): Promise<Members> {
  const answer = await register(metadata);
  expect([answer.status, answer.body]).toEqual([201, expect.any(String)]);
  return membersOf(answer);
}

const storedServices = async (): Promise<number> =>
  (await ServiceStore.of(sso.database.dataSource).list()).length;

const serviceOf = ({ client_id: id }: Members, { application }: Pick<Sso, 'application'> = sso) =>
  application.get(ServiceRegistry).findByClientId(String(id));

describe('by default', () => {
  beforeAll(async () => {
    sso = await startOidc();
    token = await newToken();
  });
  afterAll(() => sso.close());

  test.each(['POST', 'GET', 'OPTIONS'])('there is no endpoint for %s', async (method) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const body = JSON.stringify(METADATA);
    expect((await http(method, sso.url, '/oidc/register', { headers, body })).status).toBe(404);
  });

  test('discovery does not name it', async () => {
    const { body } = await http('GET', sso.url, '/oidc/.well-known/openid-configuration');
    expect(JSON.parse(body)).not.toHaveProperty('registration_endpoint');
  });
});

describe('with tokens', () => {
  let outside: FakeHttpServer;
  const lines: string[] = [];

  beforeAll(async () => {
    outside = await FakeHttpServer.start();
    outside.respondWith(reply(200, { keys: [JWK] }));
    sso = await startOidc({
      settings: ['--sso.oidc.registration=token', '--sso.throttle.login.threshold=3'],
      services: [clientNamed('back', CONFIDENTIAL)],
    });
    configureLogging({
      application: 'sso',
      levels: { root: 'debug' },
      write: (line) => void lines.push(line),
    });
  });
  afterAll(async () => {
    await sso.close();
    await outside.stop();
  });
  beforeEach(async () => {
    token = await newToken();
  });

  const accessToken = async (): Promise<string> => {
    const basic = ['back', await newSecret(sso, 'back')];
    const answer = await post(sso, '/token', { grant_type: 'client_credentials' }, { basic });
    return String(membersOf(answer)['access_token']);
  };

  test.each<[string, () => string | undefined | Promise<string>]>([
    ['no token', () => undefined],
    ['a wrong one', () => 'wrong'],
    ['the hash of one', () => sha256(token)],
    ['a reference to one', () => `#${sha256(token)}`],
    [
      'an expired one',
      async () => {
        await sso.database.dataSource.query(
          "update oidc_token set expires_at = now() where model = 'InitialAccessToken'",
        );
        return token;
      },
    ],
    [
      'one that was removed',
      async () => {
        const { id, token: removed } = await tokens().add(600);
        await tokens().remove(id);
        return removed;
      },
    ],
    ['an access token', accessToken],
    [
      'a registration access token',
      async () => {
        await sso.database.dataSource.query(
          "update oidc_token set model = 'RegistrationAccessToken' where model = 'InitialAccessToken'",
        );
        return token;
      },
    ],
    ['the secret of a client', () => newSecret(sso, 'back')],
  ])('%s registers nothing', async (what, given) => {
    const before = await storedServices();
    const presented = await given();
    const answer = await send(METADATA, {
      authorization: presented && `Bearer ${presented}`,
      localAddress: `127.0.4.${(host += 1)}`,
    });
    const description = what === 'no token' ? 'no access token provided' : 'invalid token provided';
    expect([answer.status, answer.body]).toEqual([
      401,
      JSON.stringify({ error: 'invalid_token', error_description: description }),
    ]);
    expect(answer.headers['www-authenticate']).toMatch(/^Bearer realm="/);
    expect(await storedServices()).toBe(before);
  });

  test.each<[string, (text: string) => Sent]>([
    ['in the address', (text) => ({ authorization: undefined, search: `?access_token=${text}` })],
    ['in the scheme Basic', (text) => ({ authorization: `Basic ${btoa(`x:${text}`)}` })],
    ['in the scheme DPoP', (text) => ({ authorization: `DPoP ${text}` })],
    [
      'in a form',
      (text) => ({
        authorization: undefined,
        type: 'application/x-www-form-urlencoded',
        body: `access_token=${text}`,
      }),
    ],
  ])('a token %s is refused', async (_, sent) => {
    const before = await storedServices();
    const answer = await send(METADATA, sent(token));
    expect([answer.status, membersOf(answer)['error']]).toEqual([400, 'invalid_request']);
    expect(await storedServices()).toBe(before);
  });

  test.each<[string, string, string?]>([
    ['no JSON', '{"redirect_uris":'],
    ['a list', '[]'],
    ['null', 'null'],
    ['a form', JSON.stringify(METADATA), 'application/x-www-form-urlencoded'],
    ['a text, as forms of other sites can send it', JSON.stringify(METADATA), 'text/plain'],
    ['a huge body', JSON.stringify({ ...METADATA, software_id: 'x'.repeat(60_000) })],
  ])('%s is refused', async (_, body, type = 'application/json') => {
    const before = await storedServices();
    const answer = await register(undefined, { body, type });
    expect([answer.status, membersOf(answer)['error']]).toEqual([400, 'invalid_request']);
    expect(await storedServices()).toBe(before);
  });

  // No JSON can be made of them.
  test.each<[string, (nested: string) => string]>([
    ['redirect_uris', (nested) => nested],
    ['grant_types', (nested) => nested],
    ['response_types', (nested) => nested],
    ['jwks', (nested) => `{"keys":[{"kty":"EC","x":${nested}}]}`],
  ])('%s that are nested deeply are refused', async (member, value) => {
    const nested = value('['.repeat(20_000) + ']'.repeat(20_000));
    const body = JSON.stringify({ ...METADATA, [member]: null }).replace('null', nested);
    const answer = await register(undefined, { body });
    expect([answer.status, membersOf(answer)]).toEqual([
      400,
      {
        error: expect.stringMatching(/^invalid_(?:client_metadata|redirect_uri)$/),
        error_description: expect.stringMatching(`^${member} must `),
      },
    ]);
  });

  // Origins: RFC 7591, sections 2 and 5; RFC 8252, section 8.4; RFC 9700, section 4.1; OpenID Connect Registration 1.0, section 2.
  test.each<[string, object, string]>([
    ['no redirect URI', { redirect_uris: undefined }, 'redirect_uris must have a URI'],
    ['an empty list', { redirect_uris: [] }, 'redirect_uris must have a URI'],
    ['a text', { redirect_uris: REDIRECT_URI }, 'redirect_uris must be a list'],
    ['other types', { redirect_uris: [1, null, { toString: 1 }] }, 'redirect_uris must be a text'],
    ['javascript:', { redirect_uris: ['javascript:alert(1)'] }, 'redirect_uris must be https: ja'],
    [
      'javascript: of a native client',
      { redirect_uris: ['javascript:alert(1)'], application_type: 'native' },
      "redirect_uris must have a scheme of the client's own, with a dot",
    ],
    [
      'http',
      { redirect_uris: ['http://a.example/'] },
      'redirect_uris must be https, except on a l',
    ],
    ['a fragment', { redirect_uris: [`${REDIRECT_URI}#a`] }, 'redirect_uris must not have a fragm'],
    [
      'a wildcard',
      { redirect_uris: ['https://*.example.org/'] },
      'redirect_uris must not have a w',
    ],
    [
      'a user name',
      { redirect_uris: ['https://a@b.example/'] },
      'redirect_uris must not hold a us',
    ],
    ['a relative URI', { redirect_uris: ['/callback'] }, 'redirect_uris must be absolute'],
    ['NUL in it', { redirect_uris: [`${REDIRECT_URI}\0`] }, 'redirect_uris must be absolute'],
    [
      'too many',
      { redirect_uris: Array.from({ length: 101 }, (__, at) => `https://a.example/${at}`) },
      'redirect_uris must be a list of 1 to 100',
    ],
    [
      'an address after the logout that is none',
      { post_logout_redirect_uris: ['javascript:alert(1)'] },
      'post_logout_redirect_uris must be https: ja',
    ],
    ['the implicit flow', { response_types: ['id_token'] }, 'response_types must be code alone'],
    ['a hybrid flow', { response_types: ['code', 'code id_token'] }, 'response_types must be code'],
    ['a text as response types', { response_types: 'code' }, 'response_types must be code'],
    [
      'a response type without its grant type',
      { grant_types: ['refresh_token'], response_types: ['code'] },
      'response_types must be empty without the grant type',
    ],
    ['the grant implicit', { grant_types: ['implicit'] }, 'grant_types must be of authorization_'],
    [
      'tokens of the client itself',
      { grant_types: ['authorization_code', 'client_credentials'] },
      'grant_types must be of authorization_code',
    ],
    ['no grant type', { grant_types: [] }, 'grant_types must be a list of 1'],
    ['a scope of the site', { scope: 'openid groups' }, 'scope must be of openid profile email'],
    ['a scope of nobody', { scope: 'openid admin' }, 'scope must be of openid profile email'],
    ['no scope', { scope: ' ' }, 'scope must be a list of 1'],
    ['a list of scopes', { scope: ['openid'] }, 'scope must be of openid'],
    [
      'an unknown method',
      { token_endpoint_auth_method: 'tls_client_auth' },
      'token_endpoint_auth_method must be client_secret_basic or',
    ],
    [
      'a signature without keys',
      { token_endpoint_auth_method: 'private_key_jwt' },
      'jwks or jwks_uri must be given for private_key_jwt',
    ],
    ['a private key', { jwks: { keys: [PRIVATE_JWK] } }, 'jwks must hold public keys alone'],
    [
      'a secret key',
      { jwks: { keys: [{ kty: 'oct', k: 'AA' }] } },
      'jwks must hold public keys al',
    ],
    ['NUL in a key', { jwks: { keys: [{ ...JWK, kid: '\0' }] } }, 'jwks must not hold the charact'],
    [
      'both kinds of keys',
      { jwks: { keys: [JWK] }, jwks_uri: `${OUTSIDE}/jwks` },
      'jwks_uri must not be given beside jwks',
    ],
    ['keys by http', { jwks_uri: 'http://a.example/' }, 'jwks_uri must be https'],
    ['no signature', { id_token_signed_response_alg: 'none' }, 'id_token_signed_response_alg must'],
    ['a weak one', { id_token_signed_response_alg: 'HS256' }, 'id_token_signed_response_alg must'],
    [
      'an object that is no text',
      { id_token_signed_response_alg: { toString: 1 } },
      'id_token_signed_response_alg must be RS256 or ES256',
    ],
    ['an unknown type', { application_type: 'spa' }, 'application_type must be web or native'],
    ['an unknown subject', { subject_type: 'none' }, 'subject_type must be public or pairwise'],
    ['a sector', { sector_identifier_uri: `${OUTSIDE}/sector` }, 'sector_identifier_uri is not su'],
    [
      'an encrypted ID token',
      { id_token_encrypted_response_alg: 'RSA-OAEP' },
      'id_token_encrypted_response_alg is not supported',
    ],
    ['a new login for each', { default_max_age: 0 }, 'default_max_age is not supported'],
    [
      'tokens bound to a certificate',
      { tls_client_certificate_bound_access_tokens: true },
      'tls_client_certificate_bound_access_tokens is not supported',
    ],
    [
      'a name of control characters',
      { client_name: 'a\0b' },
      'client_name must not contain contro',
    ],
    ['no name', { client_name: '' }, 'client_name must have a letter or digit'],
    ['a name of spaces', { client_name: '\u2003 ' }, 'client_name must have a letter or digit'],
    [
      'a name of letters that are not seen',
      { client_name: '\u3164\u200b\ufeff' },
      'client_name must have a letter or digit',
    ],
    ['a name of another type', { client_name: { toString: 1 } }, 'client_name must be a text'],
    ['a text as a boolean', { dpop_bound_access_tokens: 'true' }, 'dpop_bound_access_tokens must'],
    [
      'logout by http',
      { backchannel_logout_uri: 'http://a.example/' },
      'backchannel_logout_uri mus',
    ],
    [
      'several logout addresses',
      { backchannel_logout_uri: `${OUTSIDE}/,${OUTSIDE}/` },
      'backchannel_logout_uri must not have a comma',
    ],
    [
      'a frame of another host',
      { frontchannel_logout_uri: `${OUTSIDE}/logout` },
      'frontchannel_logout_uri must have the scheme, host and port of a redirect URI',
    ],
    [
      'a frame beside what is no text',
      { redirect_uris: [{ toString: 1 }], frontchannel_logout_uri: `${OUTSIDE}/logout` },
      'frontchannel_logout_uri must have the scheme, host and port of a redirect URI',
    ],
    [
      'a session that is no boolean',
      { backchannel_logout_session_required: 1 },
      'backchannel_logout_session_required must be true or false',
    ],
  ])('is refused: %s', async (_, members, description) => {
    const before = await storedServices();
    const answer = await register({ ...METADATA, ...members });
    const error = description.startsWith('redirect_uris')
      ? 'invalid_redirect_uri'
      : 'invalid_client_metadata';
    const error_description = expect.stringContaining(description);
    expect([answer.status, membersOf(answer)]).toEqual([400, { error, error_description }]);
    expect(answer.body).toMatch(new RegExp(`"error_description":"${description.slice(0, 5)}`));
    expect(await storedServices()).toBe(before);
  });

  test('calls nothing that a client names', async () => {
    const { url } = outside;
    const answer = await registered({
      ...METADATA,
      token_endpoint_auth_method: 'private_key_jwt',
      jwks_uri: `${url}/jwks`,
      logo_uri: `${url}/logo`,
      client_uri: url,
      policy_uri: `${url}/policy`,
      request_uris: [`${url}/request`],
      initiate_login_uri: `${url}/login`,
      backchannel_logout_uri: `${url}/logout`,
    });
    expect(answer).not.toHaveProperty('logo_uri');
    expect(outside.requests).toEqual([]);
  });

  test('a client may do what is safe alone, whatever else it sends', async () => {
    const members = {
      ...METADATA,
      client_id: 'admin',
      client_secret: 'chosen',
      consent: 'never',
      pkceRequired: false,
      redirectUriPatterns: ['https://evil.example.org/.*'],
      serviceId: '.*',
      scopes: ['groups'],
      evaluationOrder: 0,
      software_statement: 'e30.e30.',
      client_uri: null,
      require_signed_request_object: false,
    };
    const answer = await register(undefined, {
      body: JSON.stringify(members).replace('{', '{"__proto__":{"jwks_uri":"x"},'),
    });
    expect(membersOf(answer)).toEqual({
      client_id: expect.stringMatching(/^[0-9A-Za-z]{24}$/),
      client_id_issued_at: expect.any(Number),
      client_secret: expect.stringMatching(/^[0-9A-Za-z]{43}$/),
      client_secret_expires_at: 0,
      client_name: 'Photos',
      application_type: 'web',
      redirect_uris: [REDIRECT_URI],
      post_logout_redirect_uris: [],
      grant_types: ['authorization_code'],
      response_types: ['code'],
      scope: 'openid profile email address phone offline_access',
      token_endpoint_auth_method: 'client_secret_basic',
      id_token_signed_response_alg: 'RS256',
      subject_type: 'public',
      require_pushed_authorization_requests: false,
      dpop_bound_access_tokens: false,
    });
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(serviceOf(membersOf(answer))).toMatchObject({
      serviceId: null,
      description: 'Registered by itself at /oidc/register',
      client: { consent: 'always', pkceRequired: true, redirectUriPatterns: [] },
    });
  });

  test('what it may choose is in its answer', async () => {
    const members = {
      client_name: 'می\u200cخواهم',
      application_type: 'native',
      redirect_uris: ['org.example.notes:/callback', 'http://127.0.0.1/callback'],
      post_logout_redirect_uris: ['org.example.notes:/bye'],
      grant_types: ['authorization_code', 'refresh_token', DEVICE_GRANT],
      response_types: ['code'],
      scope: 'openid phone offline_access',
      token_endpoint_auth_method: 'private_key_jwt',
      jwks: { keys: [JWK] },
      id_token_signed_response_alg: 'ES256',
      subject_type: 'pairwise',
      require_pushed_authorization_requests: true,
      dpop_bound_access_tokens: true,
      backchannel_logout_uri: `${OUTSIDE}/logout`,
      backchannel_logout_session_required: true,
    };
    const { client_id: id, client_id_issued_at: _at, ...answer } = await registered(members);
    expect(answer).toEqual(members);
    expect(serviceOf({ client_id: id })).toMatchObject({
      usernameAttribute: { kind: 'anonymous' },
      logoutType: 'back',
      logoutUrl: `${OUTSIDE}/logout`,
    });
  });

  test('a device has no redirect URI, and a client is told of logouts in the browser', async () => {
    const device = { grant_types: [DEVICE_GRANT], token_endpoint_auth_method: 'none' };
    const answer = await registered(device);
    expect(answer).toMatchObject({
      ...device,
      client_name: answer['client_id'],
      response_types: [],
    });
    expect(answer).not.toHaveProperty('client_secret');
    const frontchannel_logout_uri = 'https://client.example.org/logout';
    expect(await registered({ ...METADATA, frontchannel_logout_uri })).toMatchObject({
      frontchannel_logout_uri,
      frontchannel_logout_session_required: true,
    });
  });

  test('pages of other sites can neither read nor send anything', async () => {
    const origin = 'https://evil.example.org';
    const preflight = await http('OPTIONS', sso.url, '/oidc/register', {
      headers: { origin, 'access-control-request-method': 'POST' },
    });
    expect(preflight.status).toBeGreaterThanOrEqual(400);
    const answers = [preflight, await register(METADATA, { origin })];
    for (const { headers } of answers) {
      expect(headers).not.toHaveProperty('access-control-allow-origin');
    }
  });

  // Origin: RFC 9110, section 15.5.6.
  test('GET is answered 405', async () => {
    const { status, headers } = await http('GET', sso.url, '/oidc/register');
    expect({ status, allow: headers.allow }).toEqual({ status: 405, allow: 'POST' });
  });

  test('there is no endpoint to read, change or remove a client', async () => {
    const { client_id: id } = await registered(METADATA);
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const headers = { authorization: `Bearer ${token}` };
      const path = `/oidc/register/${String(id)}`;
      expect((await http(method, sso.url, path, { headers })).status).toBe(404);
    }
  });

  test('without the database nothing is registered', async () => {
    const before = await storedServices();
    await sso.databaseProxy.set('refuse');
    const answer = await register(METADATA);
    await sso.databaseProxy.set('open');
    expect([answer.status, membersOf(answer)['error']]).toEqual([503, 'temporarily_unavailable']);
    expect(answer.headers).toHaveProperty('retry-after');
    expect(await storedServices()).toBe(before);
    await until('the database is back', async () => (await register(METADATA)).status === 201);
  });

  // Origin: a holder of a token slowed down the logins of all others.
  test('many at once leave the connections of the database to others', async () => {
    const { dataSource } = sso.database;
    const waiting = async (): Promise<number> => {
      const [row] = await dataSource.query<readonly [{ readonly count: number }]>(
        "select count(*)::int from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
      );
      return row.count;
    };
    const holder = dataSource.createQueryRunner();
    await holder.startTransaction();
    await holder.query('select from registered_service_version for update');
    const registrations = Promise.all(Array.from({ length: 20 }, () => register(METADATA)));
    try {
      await until('one waits', async () => (await waiting()) > 0);
      const localAddress = '127.0.7.1';
      const other = await register(METADATA, { authorization: 'Bearer wrong', localAddress });
      expect([other.status, await waiting()]).toEqual([401, 1]);
    } finally {
      await holder.rollbackTransaction();
      await holder.release();
    }
    const statuses = (await registrations).map(({ status }) => status);
    expect(statuses).toEqual(Array(20).fill(201));
  });

  test('wrong tokens are throttled, and right ones are not', async () => {
    const localAddress = '127.0.5.1';
    const wrong = () => register(METADATA, { authorization: 'Bearer wrong', localAddress });
    const statuses: number[] = [];
    for (let turn = 0; turn < 4; turn += 1) statuses.push((await wrong()).status);
    expect(statuses).toEqual([401, 401, 401, 429]);
    expect((await wrong()).headers).not.toHaveProperty('www-authenticate');
    expect((await register(METADATA, { localAddress })).status).toBe(201);
  });

  interface Event {
    readonly short: string;
    readonly subject: string | null;
    readonly details: Members | null;
  }

  async function eventsOf(address: string): Promise<readonly Event[]> {
    return sso.database.dataSource.query(
      `select concat_ws(' ', action, outcome, reason) as short, subject, details from audit_event
       where client_address = $1 order by occurred_at, id`,
      [address],
    );
  }

  test('the audit trail has registrations, refused ones, and wrong tokens', async () => {
    const localAddress = '127.0.6.1';
    const answer = membersOf(await register(METADATA, { localAddress }));
    await register({ ...METADATA, redirect_uris: [] }, { localAddress });
    await register({ ...METADATA, scope: 'admin' }, { localAddress });
    await register(undefined, { localAddress, body: '[' });
    await register(METADATA, { localAddress, authorization: 'Bearer wrong' });
    const events = await until('all events', async () => {
      const found = await eventsOf(localAddress);
      return found.length === 5 && found;
    });
    const id = serviceOf(answer)?.id;
    expect(events.map(({ short, subject }) => [short, subject])).toEqual([
      ['REGISTER_SERVICE success', id],
      ['ADD_CLIENT_SECRET success', id],
      ['REGISTER_SERVICE failure invalid_redirect_uri', null],
      ['REGISTER_SERVICE failure invalid_client_metadata', null],
      ['AUTHENTICATE_CLIENT failure invalid_token', null],
    ]);
    const initialAccessToken = sha256(token).slice(0, 16);
    expect(events.map(({ details }) => details)).toMatchObject([
      { name: 'Photos', clientId: answer['client_id'], initialAccessToken },
      { secret: expect.any(String) },
      { initialAccessToken },
      { initialAccessToken },
      {},
    ]);
  });

  test('other nodes know the client when they are notified', async () => {
    const directory = await makeFolder();
    const live = await ReloadableSettings.load(SsoSettings, {
      application: 'sso',
      env: {},
      directory,
      credentialDirectories: [],
      argv: [
        '--profiles.active=dev',
        `--database.url=${sso.database.url}`,
        `--sso.base-url=${BASE_URL}`,
        '--sso.services.import=',
        '--sso.services.poll-interval=1h',
        '--management.port=0',
        ...OIDC_SETTINGS,
      ],
    });
    const other = await hostSso(live);
    try {
      const answer = await registered({ ...METADATA, grant_types: [DEVICE_GRANT] });
      await until('the other node knows it', () => serviceOf(answer, other.host) !== undefined);
      const basic = [String(answer['client_id']), String(answer['client_secret'])];
      const asked = await post(
        { url: `${other.address}/cas` },
        '/device-authorization',
        { scope: 'openid' },
        { basic },
      );
      expect([asked.status, asked.body]).toEqual([200, expect.stringContaining('user_code')]);
    } finally {
      await other.close();
      await removeFolder(directory);
    }
  });

  test('a client registers, and signs users in who are asked', async () => {
    const config = await client.dynamicClientRegistration(new URL(ISSUER), METADATA, undefined, {
      initialAccessToken: token,
      [client.customFetch]: fetchFrom(sso),
    });
    const secret = String(config.clientMetadata().client_secret);
    const browser = new CookieBrowser(sso.url);
    for (const turn of ['with a login', 'in the session']) {
      const { address, checks } = await requestOf(config);
      const opened = await browser.open(address);
      const page = turn === 'in the session' ? opened : await browser.logIn(opened);
      expect([turn, askedIn(page)]).toEqual([turn, STANDARD]);
      expect(page.body).toContain('Photos');
      const allowed = await browser.logIn(page, { _eventId: 'allow' });
      answerIn(allowed);
      const url = new URL(allowed.headers.location ?? '');
      const issued = await client.authorizationCodeGrant(config, url, checks);
      const user = await client.fetchUserInfo(config, issued.access_token, 'casuser');
      expect(user).toMatchObject({ sub: 'casuser', email: 'casuser@example.org' });
    }
    const withoutPkce = new URL((await requestOf(config)).address);
    withoutPkce.searchParams.delete('code_challenge');
    withoutPkce.searchParams.delete('code_challenge_method');
    const refused = await browser.open(withoutPkce.href);
    expect(refused.headers.location).toContain('error=invalid_request');
    await expectNothingOf([secret, token]);
  });

  /** In no row, and in no line of the log. */
  async function expectNothingOf(texts: readonly string[]): Promise<void> {
    expect(lines.length).toBeGreaterThan(0);
    const rows: string[] = [];
    for (const table of ['registered_service', 'client_secret', 'oidc_token', 'audit_event']) {
      const found = await sso.database.dataSource.query<readonly { readonly text: string }[]>(
        `select row_to_json(t)::text as text from ${table} t`,
      );
      expect(found.length).toBeGreaterThan(0);
      rows.push(...found.map(({ text }) => text));
    }
    for (const text of texts) {
      expect(rows.filter((row) => row.includes(text))).toEqual([]);
      expect(lines.filter((line) => line.includes(text))).toEqual([]);
    }
  }
});
