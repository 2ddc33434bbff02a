// The keys of clients that are at a `jwks_uri`: the one outgoing client loads them, and nothing else of a client is called.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { configureLogging } from '@tessera/logging';
import { FakeHttpServer, reply } from '../support/fake-http-server.js';
import { http, type Reply } from '../support/http.js';
import { oidcClient, REDIRECT_URI, startOidc } from '../support/oidc-client.js';
import { inAMinute, newSigningClient, type SigningClient } from '../support/signing-client.js';
import { BASE_URL, type Sso } from '../support/sso.js';
import { until } from '../support/until.js';

const ISSUER = `${BASE_URL}/oidc`;

/** The answers of the server with the keys. */
const ANSWERS: readonly (readonly [string, number, string])[] = [
  ['a redirect', 302, ''],
  ['an error', 500, ''],
  ['too long', 200, JSON.stringify({ keys: [], x: 'x'.repeat(65_536) })],
  ['no JSON', 200, '<html>'],
  ['null', 200, 'null'],
  ['no list', 200, '{"keys":{}}'],
  ['a symmetric key', 200, '{"keys":[{"kty":"oct","k":"c2VjcmV0"}]}'],
];

/** Some are this machine in another spelling. @see CVE-2020-10770, where Keycloak called any URL */
const REFUSED = [
  'https://10.0.0.1/keys',
  'https://169.254.169.254/latest/meta-data',
  'https://[::ffff:10.0.0.1]/keys',
  'https://0/keys',
  'https://[64:ff9b::7f00:1]/keys',
];

let keys: FakeHttpServer;
let sso: Sso;
let signer: SigningClient;
const lines: string[] = [];

const idOf = (name: string): string => name.replaceAll(' ', '-');

const keyed = (clientId: string, jwksUri: string): ReturnType<typeof oidcClient> =>
  oidcClient(clientId, { tokenEndpointAuthMethod: 'private_key_jwt', jwksUri });

beforeAll(async () => {
  signer = await newSigningClient();
  keys = await FakeHttpServer.start();
  sso = await startOidc({
    settings: ['--sso.throttle.login.enabled=false'],
    services: [
      keyed('good', `${keys.url}/good`),
      oidcClient('victim', { tokenEndpointAuthMethod: 'private_key_jwt', jwks: signer.jwks }),
      ...ANSWERS.map(([name]) => keyed(idOf(name), `${keys.url}/${idOf(name)}`)),
      ...['once-an-error', 'once-no-JSON', 'later'].map((id) => keyed(id, `${keys.url}/${id}`)),
      ...REFUSED.map((uri, at) => keyed(`refused-${at}`, uri)),
    ],
  });
  configureLogging({ application: 'sso', levels: {}, write: (line) => void lines.push(line) });
});
afterAll(async () => {
  await sso.close();
  await keys.stop();
});

function authenticate(clientId: string, by = signer, header: object = {}): Promise<Reply> {
  const claims = { iss: clientId, sub: clientId, aud: ISSUER, jti: randomUUID(), exp: inAMinute() };
  return http('POST', sso.url, '/oidc/revoke', {
    form: {
      token: 'x',
      client_id: clientId,
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: by.sign(claims, header),
    },
  });
}

test('are loaded once, and verify the signatures of the client', async () => {
  keys.respondWith(reply(200, signer.jwks));
  expect((await authenticate('good')).status).toBe(200);
  expect((await authenticate('good')).status).toBe(200);
  expect(keys.requests.map(({ method, url }) => `${method} ${url}`)).toEqual(['GET /good']);
});

// Origin: RFC 8725, section 3.10; CVE-2018-0114, keys that the token itself brings.
test.each<[string, (url: string, jwk: unknown) => object]>([
  ['jku', (url) => ({ jku: url })],
  ['x5u', (url) => ({ x5u: url })],
  ['jwk', (_url, jwk) => ({ jwk })],
  ['kid', (url) => ({ kid: url })],
])('the header %s of a signature names no other keys', async (_, header) => {
  const attacker = await newSigningClient();
  keys.respondWith(reply(200, attacker.jwks));
  const forged = header(`${keys.url}/evil`, attacker.jwks.keys[0]);
  expect((await authenticate('victim', attacker, forged)).status).toBe(401);
  expect(keys.requests).toEqual([]);
  expect((await authenticate('victim')).status).toBe(200);
});

// Origin: RFC 9700, section 4.11; Fett, Küsters, Schmitz, "The Web SSO Standard OpenID Connect" (2017), section III.
test.each<[string, (url: string) => Readonly<Record<string, string>>]>([
  ['a request_uri', (url) => ({ request_uri: url })],
  ['a document of a client that is not registered', (url) => ({ client_id: url })],
  [
    'URIs of a registration',
    (url) => ({ registration: JSON.stringify({ jwks_uri: url, sector_identifier_uri: url }) }),
  ],
  ['a resource', (url) => ({ resource: url })],
  ['an id_token_hint with a jku', (url) => ({ id_token_hint: signer.sign({}, { jku: url }) })],
  ['a request object with a jku', (url) => ({ request: signer.sign({}, { jku: url }) })],
])('%s is not called', async (_, named) => {
  keys.respondWith(reply(200, signer.jwks));
  const parameters = {
    client_id: 'victim',
    redirect_uri: REDIRECT_URI,
    response_type: 'code',
    scope: 'openid',
    code_challenge: 'x'.repeat(43),
    code_challenge_method: 'S256',
    ...named(`${keys.url}/named`),
  };
  const search = new URLSearchParams(parameters).toString();
  const asked = await http('GET', sso.url, `/oidc/authorize?${search}`);
  const pushed = await http('POST', sso.url, '/oidc/par', { form: parameters });
  expect([asked.status, pushed.status].every((status) => status >= 300)).toBe(true);
  expect(keys.requests).toEqual([]);
});

describe('the client is refused, and not told why, where the answer is', () => {
  test.each(ANSWERS)('%s', async (name, status, body) => {
    keys.respondWith(
      reply(status, body, { location: `${keys.url}/other` }),
      reply(200, signer.jwks),
    );
    const refused = await authenticate(idOf(name));
    expect([refused.status, JSON.parse(refused.body)]).toEqual([
      401,
      { error: 'invalid_client', error_description: 'client authentication failed' },
    ]);
    expect(keys.requests.map(({ url }) => url)).toEqual([`/${idOf(name)}`]);
  });
});

describe('that cannot be loaded', () => {
  test.each([
    ['an error', reply(500, '')],
    ['no JSON', reply(200, '<html>')],
  ])('are asked for once, however many requests need them: %s', async (name, failure) => {
    const path = `/once-${idOf(name)}`;
    keys.respondWith(failure);
    const parameters = {
      client_id: path.slice(1),
      redirect_uri: REDIRECT_URI,
      response_type: 'code',
      scope: 'openid',
      request: signer.sign({ iss: path.slice(1), aud: ISSUER, exp: inAMinute() }),
    };
    const search = new URLSearchParams(parameters).toString();
    for (let turn = 0; turn < 10; turn += 1) {
      const send = () => http('GET', sso.url, `/oidc/authorize?${search}`);
      for (const { headers } of await Promise.all(Array.from({ length: 10 }, send))) {
        expect(headers.location).toContain('error=invalid_client_metadata');
      }
    }
    expect(keys.requests.map(({ url }) => url)).toEqual([path]);
  });

  test('are loaded later', async () => {
    keys.respondWith(reply(503, ''), reply(200, signer.jwks));
    expect((await authenticate('later')).status).toBe(401);
    await until('the client is known', async () => (await authenticate('later')).status === 200);
    expect(keys.requests).toHaveLength(2);
  });
});

test.each(REFUSED.map((uri, at) => [uri, `refused-${at}`]))(
  'at %s are not loaded',
  async (uri, clientId) => {
    lines.length = 0;
    const refused = await authenticate(clientId);
    expect([refused.status, JSON.parse(refused.body)]).toEqual([
      401,
      { error: 'invalid_client', error_description: 'client authentication failed' },
    ]);
    expect(lines.map((line): unknown => JSON.parse(line))).toContainEqual(
      expect.objectContaining({ url: new URL(uri).href, reason: 'ADDRESS_NOT_ALLOWED' }),
    );
  },
);
