// Consent: when users are asked, what they see, and what their answer does.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import * as client from 'openid-client';
import { formIn } from '../support/browser.js';
import {
  answerIn,
  askedIn,
  clearConsents,
  ConsentBrowser,
  DEVICE_GRANT,
  rowsOf,
  scopesIn,
  STANDARD,
  startConsents,
} from '../support/consent-browser.js';
import { BOB, discover } from '../support/oidc-client.js';
import type { Reply } from '../support/http.js';
import { BASE_URL, type Sso } from '../support/sso.js';

const STANDARD_SCOPES = ['email', 'openid', 'profile'];
const PHONE = { scope: 'openid profile phone' };

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

describe('users are asked', () => {
  test.each([
    ['always', 'always', {}, [true, true]],
    ['once', 'once', {}, [true, false]],
    ['never', 'never', {}, [false, false]],
    ['never by default', 'default', {}, [false, false]],
    ['always for prompt=consent', 'never', { prompt: 'consent' }, [true, true]],
    ['again for prompt=consent', 'once', { prompt: 'consent' }, [true, true]],
  ] as const)('%s', async (_, clientId, parameters, expected) => {
    const asked: boolean[] = [];
    for (const isAsked of expected) {
      const { reply, request } = await browser.request(clientId, parameters);
      asked.push(askedIn(reply) !== undefined);
      if (isAsked) expect(askedIn(reply)).toEqual(STANDARD);
      const tokens = await browser.redeem(
        clientId,
        isAsked ? await browser.allow(reply) : reply,
        request,
      );
      expect(scopesIn(tokens)).toEqual(STANDARD_SCOPES);
    }
    expect(asked).toEqual(expected);
  });

  test('once, also in another session and another browser', async () => {
    await browser.allow((await browser.request('once')).reply);
    browser = new ConsentBrowser(sso);
    answerIn((await browser.request('once')).reply);
  });

  test('only for scopes that they have not allowed yet', async () => {
    await browser.allow((await browser.request('once')).reply);
    const { reply, request } = await browser.request('once', PHONE);
    expect(askedIn(reply)).toEqual(['Your phone number']);
    const tokens = await browser.redeem('once', await browser.allow(reply), request);
    expect(scopesIn(tokens)).toEqual(['openid', 'phone', 'profile']);
    answerIn((await browser.request('once', { scope: 'openid email phone' })).reply);
  });

  test('in words for every scope, and by the name of one without words', async () => {
    const scope = 'staff groups offline_access phone address email profile openid unknown';
    const { reply } = await browser.request('never', { scope, prompt: 'consent' });
    expect(askedIn(reply)).toEqual([
      ...STANDARD,
      'Your postal address',
      'Your phone number',
      'Access also while you are signed out',
      'Your groups',
      'Other data: staff',
    ]);
  });

  test('each for himself, also in the same browser', async () => {
    await browser.allow((await browser.request('once')).reply);
    const { reply } = await browser.request('once', { prompt: 'login' }, BOB);
    expect(askedIn(reply)).toEqual(STANDARD);
    expect(reply.body).toContain('You are signed in as bob.');
  });

  test('again where a client that was never to ask has got tokens before', async () => {
    await browser.tokens('default');
    await sso.reconfigure({ 'sso.oidc.consent': 'once' });
    try {
      expect(askedIn((await browser.request('default')).reply)).toEqual(STANDARD);
    } finally {
      await sso.reconfigure({});
    }
  });
});

describe('prompt=none', () => {
  const none = async (clientId: string): Promise<string | null> => {
    const { reply } = await browser.request(clientId, { prompt: 'none' });
    return answerIn(reply).get('error');
  };

  test.each([
    ['once', 'consent_required', null],
    ['always', 'consent_required', 'consent_required'],
    ['never', null, null],
  ])('of the rule %s answers %s before the consent, and %s after it', async (id, before, after) => {
    await browser.signIn();
    expect(await none(id)).toBe(before);
    await browser.tokens(id);
    expect(await none(id)).toBe(after);
  });
});

describe('a refusal', () => {
  test('answers access_denied, and nothing is allowed or told the client later', async () => {
    const { reply, request } = await browser.request('once');
    const answer = answerIn(await browser.deny(reply));
    expect(answer.get('error')).toBe('access_denied');
    expect(answer.get('state')).toBe(request.checks.expectedState);
    expect(answer.get('iss')).toBe(`${BASE_URL}/oidc`);
    expect(await rowsOf(sso, 'select from oidc_consent')).toEqual([]);
    expect(await rowsOf(sso, "select from oidc_grant where client_id = 'once'")).toEqual([]);
    expect(await rowsOf(sso, 'select from session_service')).toEqual([]);
    expect(askedIn((await browser.request('once')).reply)).toEqual(STANDARD);
    await browser.tokens('once');
    expect(await rowsOf(sso, 'select from session_service')).toHaveLength(1);
  });

  test('of more scopes leaves what was allowed before', async () => {
    const tokens = await browser.tokens('once');
    const { reply } = await browser.request('once', PHONE);
    expect(answerIn(await browser.deny(reply)).get('error')).toBe('access_denied');
    const config = await discover(sso, 'once');
    const refreshed = await client.refreshTokenGrant(config, tokens.refresh_token ?? '');
    expect(scopesIn(refreshed)).toEqual(STANDARD_SCOPES);
    expect(askedIn((await browser.request('once', PHONE)).reply)).toEqual(['Your phone number']);
  });

  test('is any answer but allow', async () => {
    const { reply } = await browser.request('once');
    const answer = answerIn(await browser.logIn(reply, { _eventId: 'submit' }));
    expect(answer.get('error')).toBe('access_denied');
  });
});

describe('two tabs that ask at once', () => {
  test('each get their code, whichever way the second goes on', async () => {
    await browser.signIn();
    const [first, second, third] = [
      await browser.request('once'),
      await browser.request('once'),
      await browser.request('once'),
    ];
    const codes = [await browser.allow(first.reply), await browser.allow(second.reply)];
    // Opened again after the answer in the first tab.
    const { action } = formIn(third.reply);
    codes.push(await browser.open(`${BASE_URL}${action}`));
    const requests = [first.request, second.request, third.request];
    for (const [index, request] of requests.entries()) {
      const tokens = await browser.redeem('once', codes[index] as Reply, request);
      expect(scopesIn(tokens)).toEqual(STANDARD_SCOPES);
    }
    expect(await rowsOf(sso, 'select from oidc_consent')).toHaveLength(1);
    expect(await rowsOf(sso, "select from oidc_grant where client_id = 'once'")).toHaveLength(1);
  });
});

describe('a device', () => {
  const PAGE = `${BASE_URL}/oidc/device`;

  /** What the device asks for, when its user has entered the code. */
  async function connect(): Promise<{
    readonly page: Reply;
    readonly poll: () => Promise<client.TokenEndpointResponse>;
  }> {
    const config = await discover(sso, 'once');
    const { user_code: code, device_code: deviceCode } = await client.initiateDeviceAuthorization(
      config,
      { scope: 'openid email' },
    );
    await browser.signIn();
    const form = await browser.open(PAGE);
    const xsrf = /name="xsrf" value="([0-9a-f]+)"/.exec(form.body)?.[1] ?? '';
    const reply = await browser.send('POST', PAGE, { xsrf, user_code: code, confirm: 'yes' });
    return {
      page: await browser.open(reply.headers.location ?? ''),
      poll: () => client.genericGrantRequest(config, DEVICE_GRANT, { device_code: deviceCode }),
    };
  }

  test('gets tokens when its user has allowed what it asks for', async () => {
    const { page, poll } = await connect();
    expect(askedIn(page)).toEqual([STANDARD[0], STANDARD[2]]);
    await expect(poll()).rejects.toMatchObject({ error: 'authorization_pending' });
    expect((await browser.allow(page)).body).toContain('The device is connected');
    expect(scopesIn(await poll())).toEqual(['email', 'openid']);
  });

  test('gets none when its user refuses', async () => {
    const { page, poll } = await connect();
    const { body } = await browser.deny(page);
    expect(body).toContain('The device is not connected');
    await expect(poll()).rejects.toMatchObject({ error: 'access_denied' });
  });
});

// Origin: RFC 9700, section 4.16.
test('no site can frame the page, and nobody keeps it', async () => {
  const { headers } = (await browser.request('once')).reply;
  expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
  expect(headers['x-frame-options']).toBe('DENY');
  expect(headers['cache-control']).toContain('no-store');
});

test.each([
  ['de', 'Zugriff erlauben?'],
  ['es', '¿Permitir el acceso?'],
  ['fr', 'Autoriser l’accès ?'],
])('the page is in the language %s of the browser', async (locale, title) => {
  const { action } = formIn((await browser.request('once')).reply);
  const headers = { 'accept-language': locale };
  const { body } = await browser.send('GET', `${BASE_URL}${action}`, undefined, headers);
  expect(body).toContain(`<h1>${title}</h1>`);
});

test.each([
  [{ ui_locales: 'it fr-CA de' }, '', 'Autoriser l’accès ?'],
  [{ ui_locales: 'it' }, '', 'Allow access?'],
  [{ ui_locales: 'fr' }, '?locale=de', 'Zugriff erlauben?'],
])('for %j and %j it has the title %j', async (parameters, query, title) => {
  await browser.signIn();
  const { action } = formIn((await browser.request('once', parameters)).reply);
  expect((await browser.open(`${BASE_URL}${action}${query}`)).body).toContain(`<h1>${title}</h1>`);
});
