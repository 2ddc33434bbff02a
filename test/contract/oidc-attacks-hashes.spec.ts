// Attacks with what the database, logs and operators show of sessions and tokens: their hashes.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type * as client from 'openid-client';
import { sha256 } from '@tessera/crypto';
import { CookieBrowser } from '../support/cookie-browser.js';
import { http, type Reply } from '../support/http.js';
import {
  answerIn,
  BOB,
  discover,
  oidcClient,
  requestOf,
  startOidc,
  tokensOf,
  TWO_USERS,
} from '../support/oidc-client.js';
import { BASE_URL, type Sso } from '../support/sso.js';

const ISSUER = `${BASE_URL}/oidc`;

let sso: Sso;
let config: client.Configuration;
let victim: CookieBrowser;
let attacker: CookieBrowser;

beforeAll(async () => {
  sso = await startOidc({
    settings: [TWO_USERS],
    services: [oidcClient('web', { grantTypes: ['authorization_code', 'refresh_token'] })],
  });
  config = await discover(sso, 'web');
});
beforeEach(() => {
  victim = new CookieBrowser(sso.url);
  attacker = new CookieBrowser(sso.url);
});
afterAll(() => sso.close());

const addressOf = async (parameters?: Readonly<Record<string, string>>): Promise<string> =>
  (await requestOf(config, parameters)).address;

function expectPage({ status, headers }: Reply): void {
  expect([status, headers.location]).toEqual([400, undefined]);
}

// Origin: RFC 6819, section 4.4.1.8; the hash of a session is in the database, in logs and on pages of operators.
describe('a session that a cookie names by itself is none', () => {
  test.each<[string, (tgt: string, handle: string) => string]>([
    ['the hash, as that of the library', (_, handle) => `oidc_session=${handle}`],
    ['the hash, behind a tab', (_, handle) => `a=b;\toidc_session=${handle}`],
    ['the hash, in quotes', (_, handle) => `oidc_session="${handle}"`],
    ['the hash, after another', (_, handle) => `oidc_session=x; oidc_session=${handle}`],
    ['the hash, with a space', (_, handle) => `oidc_session =${handle}`],
    ['the hash, as ours', (_, handle) => `TGC=${handle}`],
    ['the ticket, as that of the library', (tgt) => `oidc_session=${tgt}`],
    ['the ticket, as ours', (tgt) => `TGC=${tgt}`],
  ])('%s', async (_, cookieOf) => {
    const tgt = await sso.login();
    const { pathname, search } = new URL(await addressOf({ prompt: 'none' }));
    const cookie = cookieOf(tgt, sha256(tgt));
    const reply = await http('GET', new URL(sso.url).origin, pathname + search, {
      headers: { cookie },
    });
    expect(answerIn(reply).error).toBe('login_required');
    expect(String(reply.headers['set-cookie'])).not.toContain('oidc_session');
  });

  // Origin: cookie tossing, from a sibling domain that sets a cookie for the parent domain.
  test('two of ours', async () => {
    await victim.signIn();
    await attacker.signIn(BOB);
    const { pathname, search } = new URL(await addressOf({ prompt: 'none' }));
    const [own, other] = [victim.valueOf('TGC'), attacker.valueOf('TGC')];
    for (const cookie of [`TGC=${own}; TGC=${other}`, `TGC=${other}; TGC=${own}`]) {
      const origin = new URL(sso.url).origin;
      const reply = await http('GET', origin, pathname + search, { headers: { cookie } });
      expect(answerIn(reply).error).toBe('login_required');
    }
  });
});

// The database has the SHA-256 of each text. The storage follows such references where it wrote them, and nowhere else.
describe('the hash of a text is not taken for it', () => {
  const spellings = (text: string): readonly string[] => [
    sha256(text),
    `#${sha256(text)}`,
    `\\x${sha256(text)}`,
  ];

  test.each<[string, (hash: string) => Promise<Reply>]>([
    ['an interaction', (hash) => victim.open(`${ISSUER}/interaction/${encodeURIComponent(hash)}`)],
    [
      'an interaction to go on',
      (hash) => victim.open(`${ISSUER}/authorize/${encodeURIComponent(hash)}`),
    ],
  ])('of %s', async (_, open) => {
    await attacker.open(await addressOf());
    const uid = attacker.valueOf('oidc_interaction') ?? '';
    expect(uid).not.toBe('');
    await victim.signIn();
    for (const hash of spellings(uid)) {
      victim.set('oidc_interaction', hash, '/');
      victim.set('oidc_resume', hash, '/');
      expectPage(await open(hash));
    }
  });

  test('of a code, a refresh token, or a token', async () => {
    await victim.signIn();
    const tokens = await tokensOf(config, victim);
    const { code = '' } = answerIn(await victim.open(await addressOf()));
    const post = (path: string, form: object): Promise<Reply> =>
      http('POST', sso.url, `/oidc${path}`, { form: { client_id: 'web', ...form } });
    for (const hash of spellings(code)) {
      const form = { grant_type: 'authorization_code', code: hash, redirect_uri: 'x' };
      expect(JSON.parse((await post('/token', form)).body).error).toBe('invalid_grant');
    }
    for (const hash of spellings(tokens.refresh_token ?? '')) {
      const form = { grant_type: 'refresh_token', refresh_token: hash };
      expect(JSON.parse((await post('/token', form)).body).error).toBe('invalid_grant');
    }
    for (const hash of spellings(tokens.access_token)) {
      expect((await post('/introspect', { token: hash })).body).toBe('{"active":false}');
      await post('/revoke', { token: hash });
    }
    expect((await post('/introspect', { token: tokens.access_token })).body).toContain('true');
  });

  test('of a pushed request', async () => {
    const form = Object.fromEntries(new URL(await addressOf()).searchParams);
    const { body } = await http('POST', sso.url, '/oidc/par', { form });
    const uri = String(JSON.parse(body).request_uri);
    const prefix = 'urn:ietf:params:oauth:request_uri:';
    await victim.signIn();
    for (const hash of spellings(uri.slice(prefix.length))) {
      const parameters = { client_id: 'web', request_uri: prefix + hash };
      const search = new URLSearchParams(parameters).toString();
      const reply = await victim.open(`${ISSUER}/authorize?${search}`);
      expectPage(reply);
      expect(reply.body).toContain('invalid_request_uri');
    }
  });
});
