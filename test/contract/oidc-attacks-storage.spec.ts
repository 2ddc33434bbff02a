// Attacks by requests that anybody may send, and that the server stores, or answers with calls or lines of the log.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { configureLogging } from '@tessera/logging';
import { CookieBrowser } from '../support/cookie-browser.js';
import { DEVICE_CLIENT } from '../support/device-sign-in.js';
import { http, type Reply } from '../support/http.js';
import { oidcClient, REDIRECT_URI, startOidc } from '../support/oidc-client.js';
import { query } from '../support/query.js';
import { inAMinute, newSigningClient, type SigningClient } from '../support/signing-client.js';
import { BASE_URL, type Sso } from '../support/sso.js';

type Parameters = Readonly<Record<string, string>>;

/** All that a client may send. */
const REQUEST: Parameters = {
  response_type: 'code',
  redirect_uri: REDIRECT_URI,
  scope: 'openid',
  code_challenge: 'x'.repeat(43),
  code_challenge_method: 'S256',
};

let sso: Sso;
let signer: SigningClient;
const lines: string[] = [];

beforeAll(async () => {
  signer = await newSigningClient();
  sso = await startOidc({
    services: [
      oidcClient('web'),
      oidcClient('signing', { jwks: signer.jwks }),
      oidcClient('tv', DEVICE_CLIENT),
    ],
  });
  configureLogging({ application: 'sso', levels: {}, write: (line) => void lines.push(line) });
});
beforeEach(() => {
  lines.length = 0;
});
afterAll(() => sso.close());

const authorize = (parameters: Parameters): Promise<Reply> =>
  http('GET', sso.url, `/oidc/authorize?${new URLSearchParams(parameters).toString()}`);

const push = (form: Parameters): Promise<Reply> => http('POST', sso.url, '/oidc/par', { form });

const signed = (claims: object): Parameters => {
  const own = { iss: 'signing', aud: `${BASE_URL}/oidc`, client_id: 'signing', exp: inAMinute() };
  return { client_id: 'signing', request: signer.sign({ ...REQUEST, ...own, ...claims }) };
};

/** An error that the browser takes to the client, or that the client gets at once; undefined for none. */
function errorIn({ status, headers, body }: Reply): unknown {
  if (headers.location !== undefined) {
    return new URL(headers.location).searchParams.get('error') ?? undefined;
  }
  const { error } = JSON.parse(body) as { readonly error?: string };
  return error && `${status} ${error}`;
}

/** In which the server would store parameters, with the error for those that it refuses. */
const WAYS: readonly (readonly [string, string, (parameters: Parameters) => Promise<Reply>])[] = [
  [
    '/authorize',
    'invalid_request',
    (parameters) => authorize({ client_id: 'web', ...REQUEST, ...parameters }),
  ],
  [
    '/par',
    '400 invalid_request',
    (parameters) => push({ client_id: 'web', ...REQUEST, ...parameters }),
  ],
  [
    '/device-authorization',
    '400 invalid_request',
    (parameters) => {
      const form = { client_id: 'tv', scope: 'openid', ...parameters };
      return http('POST', sso.url, '/oidc/device-authorization', { form });
    },
  ],
  ['a request object', 'invalid_request', (parameters) => authorize(signed(parameters))],
  ['a request object at /par', '400 invalid_request', (parameters) => push(signed(parameters))],
];

const stored = (): Promise<unknown> => query(sso.database.url, 'select model from oidc_request');

describe.each(WAYS)('by %s', (_name, refused, send) => {
  beforeEach(() => query(sso.database.url, 'delete from oidc_request'));

  test.each<[string, Parameters]>([
    ...['nonce', 'login_hint', 'ui_locales', 'acr_values'].map((name): [string, Parameters] => [
      `NUL in ${name}`,
      { [name]: 'a\0b' },
    ]),
    ['a line break', { nonce: 'a\nb' }],
    ['a long text', { nonce: 'x'.repeat(2_001) }],
  ])('%s is refused, and stored nowhere', async (_, parameters) => {
    expect(errorIn(await send(parameters))).toBe(refused);
    expect(await stored()).toEqual([]);
    expect(lines).toEqual([]);
  });

  test('a text of 2,000 characters of any script is taken', async () => {
    expect(errorIn(await send({ login_hint: 'ü€😀'.repeat(500) }))).toBeUndefined();
    expect(await stored()).toHaveLength(1);
  });

  test.each<[string, Parameters]>([
    ['NUL', { state: 'a\0b' }],
    ['half a surrogate pair', { state: '\ud800' }],
  ])('a state with %s leaves no error of the server', async (_, parameters) => {
    expect(String(errorIn(await send(parameters)))).not.toContain('server_error');
    expect(lines).toEqual([]);
  });
});

test('a request object that is too long is refused', async () => {
  const { status, body } = await push(signed({ padding: 'x'.repeat(16_000) }));
  expect([status, JSON.parse(body)]).toEqual([
    400,
    { error: 'invalid_request', error_description: 'request is too long' },
  ]);
  expect((await push(signed({ padding: 'x'.repeat(8_000) }))).status).toBe(201);
});

describe('the way back from the login page answers with a page, without a line in the log', () => {
  const browserWith = async (session: string): Promise<CookieBrowser> => {
    const browser = new CookieBrowser(sso.url);
    if (session === 'none') return browser;
    await browser.signIn();
    if (session === 'ended') await query(sso.database.url, 'delete from ticket_granting_ticket');
    return browser;
  };

  test.each(
    ['/device/unknown', '/device/..%2ftoken', '/authorize/unknown'].flatMap((path) =>
      ['none', 'ended', 'open'].map((session) => [path, session] as const),
    ),
  )('%s, session: %s', async (path, session) => {
    const browser = await browserWith(session);
    lines.length = 0;
    const { status, headers, body } = await browser.send('GET', `${BASE_URL}/oidc${path}`);
    expect([status, headers['content-type']]).toEqual([400, 'text/html;charset=UTF-8']);
    expect(body).toContain('</html>');
    expect(lines).toEqual([]);
  });
});
