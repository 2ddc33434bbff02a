// The events of OpenID Connect in the audit trail, and the metrics that count them.
import type { Server } from 'node:http';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import * as client from 'openid-client';
import { Metrics } from '@tessera/metrics';
import { Tracing } from '@tessera/tracing';
import { RequestMetrics } from '../../apps/sso/src/metrics/sso-metrics.js';
import { OidcProvider } from '../../apps/sso/src/oidc/oidc-provider.js';
import { traceSso } from '../../apps/sso/src/tracing/sso-tracing.js';
import { CookieBrowser } from '../support/cookie-browser.js';
import { discover, requestOf, startOidc } from '../support/oidc-client.js';
import {
  authorize,
  clientNamed,
  CONFIDENTIAL,
  post,
  redeem,
  secretOf,
} from '../support/oidc-flows.js';
import { OtlpReceiver } from '../support/otlp-receiver.js';
import { BASE_URL, type Sso } from '../support/sso.js';
import { until } from '../support/until.js';

const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';

let sso: Sso;
let browser: CookieBrowser;
let web: client.Configuration;
let back: client.Configuration;
let tv: client.Configuration;
let secret: string;
let metrics: Metrics;
/** Whatever must be in no event. */
const confidential: string[] = [];

beforeAll(async () => {
  metrics = new Metrics();
  expect(new RequestMetrics(metrics, () => undefined).http.server).toBeUndefined();
  sso = await startOidc({
    files: { 'sso.yml': 'audit.tickets: true' },
    services: [
      clientNamed('web'),
      clientNamed('back', CONFIDENTIAL),
      clientNamed('tv', { redirectUris: [], grantTypes: [DEVICE_GRANT], scopes: ['openid'] }),
      clientNamed('staff', {}, { requiredAttributes: { memberOf: ['nobody'] } }),
    ],
  });
  secret = await secretOf(sso, 'back');
  web = await discover(sso, 'web');
  tv = await discover(sso, 'tv');
  back = await discover(sso, 'back', secret);
  browser = new CookieBrowser(sso.url);
  await browser.signIn();
});
afterAll(async () => {
  await sso.close();
  metrics.close();
});

interface Row {
  readonly short: string;
  readonly address: string | null;
}

/** The last event of each row: it is stored, so all before it are. */
const MARK = 'GRANT_TOKENS success back client_credentials';
let seen = 0;

async function newEvents(): Promise<readonly Row[]> {
  return sso.database.dataSource.query(
    `select client_address as address, row_to_json(audit_event)::text as all,
       concat_ws(' ', action, outcome, principal, service, reason, details->>'grantType',
         details->>'redirectUri') as short
     from audit_event where action not in ('LOGIN', 'RELOAD_SETTINGS') order by occurred_at, id offset $1`,
    [seen],
  );
}

/** The events of what is done. */
async function eventsOf(act: () => Promise<unknown>): Promise<readonly string[]> {
  seen += (await newEvents()).length;
  await act().catch((error: unknown) => error);
  await client.clientCredentialsGrant(back);
  const events = await until('the last event', async () => {
    const found = await newEvents();
    return found.at(-1)?.short === MARK && found;
  });
  for (const text of confidential) expect(JSON.stringify(events)).not.toContain(text);
  expect(new Set(events.map(({ address }) => address))).toEqual(new Set(['127.0.0.1']));
  return events.slice(0, -1).map(({ short }) => short);
}

async function code(config = web): Promise<Awaited<ReturnType<typeof authorize>>> {
  const answered = await authorize(config, browser);
  const { searchParams } = answered.url;
  confidential.push(searchParams.get('code') ?? '', searchParams.get('state') ?? '');
  return answered;
}

async function tokens(config = web): Promise<client.TokenEndpointResponse> {
  const issued = await redeem(config, await code(config));
  confidential.push(issued.access_token, issued.refresh_token ?? '', issued.id_token ?? '');
  return issued;
}

async function open(parameters: Readonly<Record<string, string>>): Promise<void> {
  const { address } = await requestOf(web, parameters);
  await browser.open(address);
}

/** As the user of a device does. */
async function allow(userCode: string): Promise<void> {
  const page = await browser.open(`${BASE_URL}/oidc/device`);
  const [, xsrf = ''] = /name="xsrf" value="([0-9a-f]+)"/.exec(page.body) ?? [];
  await browser.send('POST', `${BASE_URL}/oidc/device`, {
    xsrf,
    user_code: userCode,
    confirm: 'yes',
  });
}

const AUTHORIZED = 'AUTHORIZE_CLIENT success casuser web';
const GRANTED = 'GRANT_TOKENS success casuser web authorization_code';

const ROWS: readonly [string, () => Promise<unknown>, readonly string[]][] = [
  [
    'an unknown client',
    () => open({ client_id: 'nobody' }),
    ['AUTHORIZE_CLIENT failure casuser nobody invalid_client'],
  ],
  [
    'another redirect URI',
    () => {
      confidential.push('geheim');
      return open({ redirect_uri: 'https://evil.example.org/\u001b[2J?geheim=1' });
    },
    [
      'AUTHORIZE_CLIENT failure casuser web invalid_redirect_uri https://evil.example.org/\u001b[2J',
    ],
  ],
  [
    'another redirect URI beside another error',
    () => open({ redirect_uri: 'https://evil.example.org/', prompt: 'sudo' }),
    ['AUTHORIZE_CLIENT failure casuser web invalid_redirect_uri https://evil.example.org/'],
  ],
  [
    'a user who may not use the client',
    () => open({ client_id: 'staff' }),
    ['AUTHORIZE_CLIENT failure casuser staff access_denied'],
  ],
  [
    'a silent request that needs the login page, which refuses nobody',
    () => open({ prompt: 'none', max_age: '0' }),
    [],
  ],
  [
    'a wrong secret',
    () => post(sso, '/token', { grant_type: 'client_credentials' }, { basic: ['back', 'wrong'] }),
    ['AUTHENTICATE_CLIENT failure back invalid_client'],
  ],
  [
    'a secret of nobody',
    () => post(sso, '/introspect', { token: 'x' }, { basic: ['nobody', secret] }),
    ['AUTHENTICATE_CLIENT failure nobody invalid_client'],
  ],
  [
    'another verifier than that of the request',
    async () => {
      const { url, checks } = await code();
      return redeem(web, { url, checks: { ...checks, pkceCodeVerifier: 'x'.repeat(43) } });
    },
    [AUTHORIZED, 'GRANT_TOKENS failure web invalid_grant authorization_code'],
  ],
  [
    'a grant type that is not offered',
    () => post(sso, '/token', { grant_type: 'password', client_id: 'web', password: 'Mellon' }),
    ['GRANT_TOKENS failure web unsupported_grant_type other'],
  ],
  [
    'a code that is used twice',
    async () => {
      const answered = await code();
      await redeem(web, answered);
      await redeem(web, answered);
    },
    [
      AUTHORIZED,
      GRANTED,
      'REVOKE_TOKENS success casuser web TOKEN_REUSED',
      'GRANT_TOKENS failure web invalid_grant authorization_code',
    ],
  ],
  [
    'a refresh token that is used twice',
    async () => {
      const { refresh_token: token = '' } = await tokens();
      await client.refreshTokenGrant(web, token);
      await client.refreshTokenGrant(web, token);
    },
    [
      AUTHORIZED,
      GRANTED,
      'GRANT_TOKENS success casuser web refresh_token',
      'REVOKE_TOKENS success casuser web TOKEN_REUSED',
      'GRANT_TOKENS failure casuser web invalid_grant refresh_token',
    ],
  ],
  [
    'a device that asks again until its user has decided',
    async () => {
      const device = await client.initiateDeviceAuthorization(tv, { scope: 'openid' });
      confidential.push(device.device_code, device.user_code);
      const form = { grant_type: DEVICE_GRANT, device_code: device.device_code, client_id: 'tv' };
      await post(sso, '/token', form);
      await allow(device.user_code);
      await post(sso, '/token', form);
    },
    ['AUTHORIZE_CLIENT success casuser tv', 'GRANT_TOKENS success casuser tv device_code'],
  ],
  ['a revocation of an unknown token', () => client.tokenRevocation(web, 'unknown'), []],
  [
    'a revocation',
    async () => client.tokenRevocation(web, (await tokens()).access_token),
    [AUTHORIZED, GRANTED, 'REVOKE_TOKENS success casuser web'],
  ],
  ['tokens of a client itself', () => client.clientCredentialsGrant(back), [MARK]],
];

test.each(ROWS)('%s', async (_, act, expected) => {
  expect(await eventsOf(act)).toEqual(expected);
});

test('each event comes once, also after the provider was made for new keys', async () => {
  sso.application.get(OidcProvider, { strict: false })['build']();
  expect(await eventsOf(() => tokens())).toEqual([AUTHORIZED, GRANTED]);
});

test('a request over a database that is away is undecided', async () => {
  const answered = await code();
  const expected = ['GRANT_TOKENS unknown web ERROR authorization_code'];
  expect(
    await eventsOf(async () => {
      await sso.databaseProxy.set('refuse');
      await redeem(web, answered).catch(() => {});
      await sso.databaseProxy.set('open');
      await until('the database is back', () =>
        client.clientCredentialsGrant(back).catch(() => false),
      );
    }),
  ).toEqual(expect.arrayContaining(expected));
});

test('the metrics have them by outcome, and nothing that callers choose', async () => {
  const text = await metrics.text();
  const lines = text.split('\n').filter((line) => line.startsWith('tessera_oidc_'));
  const ofOneClient = '{grant_type="client_credentials",outcome="granted"}';
  const names = lines.map((line) => line.replace(/ \d+$/, ''));
  expect(names.toSorted()).toEqual(
    [
      'tessera_oidc_authorizations_total{outcome="failed"}',
      'tessera_oidc_authorizations_total{outcome="granted"}',
      'tessera_oidc_authorizations_total{outcome="pending"}',
      'tessera_oidc_authorizations_total{outcome="refused"}',
      'tessera_oidc_client_failures_total{outcome="refused"}',
      'tessera_oidc_client_failures_total{outcome="throttled"}',
      'tessera_oidc_registrations_total{outcome="failed"}',
      'tessera_oidc_registrations_total{outcome="granted"}',
      'tessera_oidc_registrations_total{outcome="refused"}',
      'tessera_oidc_revocations_total{cause="client"}',
      'tessera_oidc_revocations_total{cause="reuse"}',
      'tessera_oidc_token_requests_total{grant_type="authorization_code",outcome="failed"}',
      'tessera_oidc_token_requests_total{grant_type="authorization_code",outcome="granted"}',
      'tessera_oidc_token_requests_total{grant_type="authorization_code",outcome="refused"}',
      `tessera_oidc_token_requests_total${ofOneClient}`,
      'tessera_oidc_token_requests_total{grant_type="device_code",outcome="granted"}',
      'tessera_oidc_token_requests_total{grant_type="device_code",outcome="pending"}',
      'tessera_oidc_token_requests_total{grant_type="other",outcome="refused"}',
      'tessera_oidc_token_requests_total{grant_type="refresh_token",outcome="granted"}',
      'tessera_oidc_token_requests_total{grant_type="refresh_token",outcome="refused"}',
    ].toSorted(),
  );
  expect(lines).toEqual(
    expect.arrayContaining([
      'tessera_oidc_authorizations_total{outcome="pending"} 1',
      'tessera_oidc_authorizations_total{outcome="refused"} 4',
      'tessera_oidc_client_failures_total{outcome="refused"} 2',
      'tessera_oidc_revocations_total{cause="client"} 1',
      'tessera_oidc_revocations_total{cause="reuse"} 2',
      'tessera_oidc_token_requests_total{grant_type="other",outcome="refused"} 1',
    ]),
  );
});

test('requests have spans by their routes, and with nothing confidential', async () => {
  const receiver = await OtlpReceiver.start();
  const { url } = receiver;
  const bounds = { interval: 10 };
  const tracing = new Tracing({ service: 'sso', url, headers: {}, sampleRatio: 1, bounds });
  traceSso(tracing);
  tracing.server = sso.application.getHttpServer() as Server;
  await tokens();
  const wanted = ['GET /cas/oidc/authorize', 'POST /cas/oidc/token'];
  const spans = await until('the spans', () => {
    const found = receiver.spans.filter(({ name }) => wanted.includes(name));
    return found.length === wanted.length && found;
  });
  await tracing.close();
  await receiver.stop();
  const paths = spans.map(({ attributes }) => attributes['url.path']);
  expect(paths).toEqual(['/cas/oidc/authorize', '/cas/oidc/token']);
  for (const text of confidential) expect(receiver.bodies.join()).not.toContain(text);
});

test('by default only refusals, failures and revocations are stored', async () => {
  // What was recorded before is written when this returns.
  await eventsOf(() => Promise.resolve());
  await sso.reconfigure({ 'audit.tickets': false });
  seen += (await newEvents()).length;
  await client.tokenRevocation(web, (await tokens()).access_token);
  expect(
    await until('the revocation', async () => {
      const found = await newEvents();
      return found.length > 0 && found.map(({ short }) => short);
    }),
  ).toEqual(['REVOKE_TOKENS success casuser web']);
});
