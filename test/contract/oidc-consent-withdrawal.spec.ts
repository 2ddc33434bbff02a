// Consent that is listed on the page of the session, and taken back there.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import * as client from 'openid-client';
import {
  askedIn,
  clearConsents,
  ConsentBrowser,
  type Fields,
  rowsOf,
  scopesIn,
  STANDARD,
  startConsents,
} from '../support/consent-browser.js';
import { BOB, discover } from '../support/oidc-client.js';
import { BASE_URL, type Sso } from '../support/sso.js';
import { until } from '../support/until.js';

const OFFLINE = { scope: 'openid offline_access', prompt: 'consent' };

let sso: Sso;
let browser: ConsentBrowser;

beforeAll(async () => {
  sso = await startConsents();
});
beforeEach(() => {
  browser = new ConsentBrowser(sso);
});
afterEach(() => clearConsents(sso));
afterAll(() => sso.close());

describe('what is taken back', () => {
  /** On the page of the session. */
  async function withdraw(name: string): Promise<void> {
    const { body } = await browser.open(`${BASE_URL}/login`);
    const id = new RegExp(`${name}</bdi>[^]*?name="consent" value="(\\d+)"`).exec(body)?.[1];
    const reply = await browser.send('POST', `${BASE_URL}/oidc/consents`, { consent: id ?? '' });
    expect([reply.status, reply.headers.location]).toEqual([302, '/cas/login']);
  }

  test('was listed with the scopes, ends all tokens of the client, and is asked for again', async () => {
    const other = await browser.tokens('always', { scope: 'openid email' });
    const offline = await browser.tokens('once', OFFLINE);
    await browser.send('GET', `${BASE_URL}/logout`);
    const tokens = await browser.tokens('once');
    const { body } = await browser.open(`${BASE_URL}/login`);
    expect(body).toMatch(/<bdi>Client once<\/bdi><small>Allowed [^<]+UTC<\/small>/);
    expect(body).toContain('Access also while you are signed out');
    await withdraw('Client once');
    const config = await discover(sso, 'once');
    for (const { access_token: access, refresh_token: refresh = '' } of [tokens, offline]) {
      await expect(client.fetchUserInfo(config, access, 'casuser')).rejects.toMatchObject({
        status: 401,
      });
      await expect(client.refreshTokenGrant(config, refresh)).rejects.toMatchObject({
        error: 'invalid_grant',
      });
    }
    const after = await browser.open(`${BASE_URL}/login`);
    expect(after.body).not.toContain('<bdi>Client once</bdi>');
    expect(after.body).toContain('<bdi>Client always</bdi>');
    expect(scopesIn(other)).toEqual(['email', 'openid']);
    expect(askedIn((await browser.request('once')).reply)).toEqual(STANDARD);
  });

  test('leaves what other users have allowed', async () => {
    await browser.tokens('once');
    const [consent] = await rowsOf(sso, 'select service_id as id from oidc_consent');
    browser = new ConsentBrowser(sso);
    const { reply } = await browser.request('once', {}, BOB);
    expect(askedIn(reply)).toEqual(STANDARD);
    const { id } = consent as { readonly id: string };
    await browser.send('POST', `${BASE_URL}/oidc/consents`, { consent: id });
    expect(await rowsOf(sso, 'select principal from oidc_consent')).toEqual([
      { principal: 'casuser' },
    ]);
  });

  test('by a code that is not redeemed yet gives no tokens', async () => {
    const { reply, request } = await browser.request('once');
    const code = await browser.allow(reply);
    await withdraw('Client once');
    await expect(browser.redeem('once', code, request)).rejects.toMatchObject({
      error: 'invalid_grant',
    });
  });

  test('needs our own form', async () => {
    await browser.tokens('once');
    const [consent] = await rowsOf(sso, 'select service_id::text as consent from oidc_consent');
    const headers = { 'sec-fetch-site': 'cross-site' };
    const address = `${BASE_URL}/oidc/consents`;
    const reply = await browser.send('POST', address, consent as Fields, headers);
    expect(reply.status).toBe(403);
    for (const each of ['', 'x', '0', '99999999999999999999']) {
      expect((await browser.send('POST', address, { consent: each })).status).toBe(302);
    }
    browser.forget('TGC');
    expect((await browser.send('POST', address, consent as Fields)).status).toBe(302);
    expect(await rowsOf(sso, 'select from oidc_consent')).toHaveLength(1);
  });

  test('is nothing for users who were not asked', async () => {
    await browser.tokens('never');
    const { body } = await browser.open(`${BASE_URL}/login`);
    expect(body).not.toContain('What you have allowed');
  });
});

test('answers and withdrawals are in the audit trail', async () => {
  // Events of earlier tests may be written later.
  const [begun] = await rowsOf(sso, 'select clock_timestamp()::text as at');
  await browser.deny((await browser.request('once')).reply);
  await browser.tokens('once', { scope: 'openid email' });
  const [consent] = await rowsOf(sso, 'select service_id::text as consent from oidc_consent');
  await browser.send('POST', `${BASE_URL}/oidc/consents`, consent as Fields);
  const events = await until('three events', async () => {
    const found = await rowsOf(
      sso,
      `select action, outcome, reason, principal, service, session, details from audit_event
       where action like '%CONSENT' and occurred_at > '${(begun as { readonly at: string }).at}' order by occurred_at`,
    );
    return found.length >= 3 && found;
  });
  const session = expect.stringMatching(/^TGT-…....$/) as unknown;
  const common = { principal: 'casuser', service: 'once', session };
  const all = { scopes: ['openid', 'profile', 'email'] };
  const some = { scopes: ['openid', 'email'] };
  expect(events).toEqual([
    {
      action: 'GRANT_CONSENT',
      outcome: 'failure',
      reason: 'CONSENT_DENIED',
      ...common,
      details: all,
    },
    { action: 'GRANT_CONSENT', outcome: 'success', reason: null, ...common, details: some },
    { action: 'WITHDRAW_CONSENT', outcome: 'success', reason: null, ...common, details: some },
  ]);
});
