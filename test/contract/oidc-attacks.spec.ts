// Attacks by browsers on interactions and sessions of others. None gets a code.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type * as client from 'openid-client';
import { sha256 } from '@tessera/crypto';
import { CookieBrowser } from '../support/cookie-browser.js';
import { formIn } from '../support/browser.js';
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
import { LOST_SESSIONS } from '../support/lost-sessions.js';
import { query } from '../support/query.js';
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

/** Begins an authorization request. @returns the id of its interaction, which waits for the login page */
async function begin(browser: CookieBrowser, parameters = {}): Promise<string> {
  await browser.open(await addressOf(parameters));
  const page = browser.visited.findLast((each) => each.startsWith(`${ISSUER}/interaction/`)) ?? '';
  return new URL(page).pathname.split('/').at(-1) ?? '';
}

/** Signs in for an interaction. @returns where the login page sends the browser, which has not called it */
async function answerLogin(browser: CookieBrowser, uid: string): Promise<string> {
  const page = await browser.open(`${BASE_URL}/login?interaction=${uid}&renew=true`);
  const { action, execution } = formIn(page);
  const form = { execution, username: 'casuser', password: 'Mellon' };
  const { headers } = await browser.send('POST', `${BASE_URL}${action}`, form);
  return headers.location ?? '';
}

/** Signs in for an interaction. @returns where the library goes on, which the browser has not called */
async function finish(browser: CookieBrowser, uid: string): Promise<string> {
  const finished = await browser.send('GET', await answerLogin(browser, uid));
  expect(finished.status).toBe(303);
  return new URL(finished.headers.location ?? '', BASE_URL).href;
}

/** A page of ours that goes nowhere, neither to the client nor to a logout. */
function expectRefusal({ status, headers, body }: Reply): void {
  expect([status, headers.location]).toEqual([400, undefined]);
  expect(body).not.toMatch(/code=|name="code"|session\/end|name="xsrf"/);
}

// Origin: RFC 9700, section 4.7; session fixation by the interaction of an attacker.
describe('the interaction of an attacker', () => {
  test.each<[string, (uid: string) => Promise<Reply>]>([
    [
      'is not finished by a victim with a session',
      async (uid) => {
        await victim.signIn();
        return victim.open(`${BASE_URL}/login?interaction=${uid}`);
      },
    ],
    [
      'is not finished by a victim who signs in',
      async (uid) => victim.logIn(await victim.open(`${BASE_URL}/login?interaction=${uid}`)),
    ],
    [
      'is no address for a victim',
      async (uid) => {
        await victim.signIn();
        return victim.open(`${ISSUER}/interaction/${uid}`);
      },
    ],
    [
      'does not go on with a victim',
      async (uid) => {
        await victim.signIn();
        return victim.open(`${ISSUER}/authorize/${uid}`);
      },
    ],
  ])('%s', async (_, lure) => {
    const uid = await begin(attacker);
    expectRefusal(await lure(uid));
    for (const page of ['interaction', 'authorize']) {
      expect((await attacker.open(`${ISSUER}/${page}/${uid}`)).body).toContain('name="password"');
    }
  });

  test.each(['login?interaction=x', 'oidc/interaction/x', 'oidc/authorize/x'])(
    'that has ended is refused in one way at /%s',
    async (path) => expectRefusal(await victim.open(`${BASE_URL}/${path}`)),
  );

  test('with its cookies in the browser of a victim gives the code to the client alone', async () => {
    const uid = await begin(attacker);
    await victim.signIn();
    victim.set('oidc_interaction', uid, '/');
    victim.set('oidc_resume', uid, '/');
    const answer = answerIn(await victim.open(`${ISSUER}/interaction/${uid}`));
    // Its state is that of the attacker, which the client does not know in this browser.
    expect(answer).toHaveProperty('code');
    expectRefusal(await attacker.open(`${ISSUER}/authorize/${uid}`));
  });
});

// Origin: a sealed text in the address, which a reader of the key in the database could make up.
describe('prompt=login is not answered by', () => {
  test.each<[string, (uid: string) => Promise<unknown>]>([
    ['a session without a visit to the login page', () => Promise.resolve()],
    [
      'a visit to the login page without credentials',
      async (uid) => {
        const page = await victim.open(`${BASE_URL}/login?interaction=${uid}`);
        expect(page.body).toContain('name="password"');
      },
    ],
    [
      'a login for another interaction',
      async () => finish(victim, await begin(victim, { prompt: 'login' })),
    ],
    [
      'the login of another user for it',
      async (uid) =>
        attacker.logIn(await attacker.open(`${BASE_URL}/login?interaction=${uid}`), BOB),
    ],
    [
      'a later session of the user',
      async (uid) => {
        await answerLogin(victim, uid);
        await victim.send('GET', `${BASE_URL}/logout`);
        await victim.signIn();
      },
    ],
  ])('%s', async (_, attempt) => {
    await victim.signIn();
    const uid = await begin(victim, { prompt: 'login' });
    await attempt(uid);
    victim.set('oidc_interaction', uid, '/');
    expect((await victim.open(`${ISSUER}/interaction/${uid}`)).body).toContain('name="password"');
    victim.set('oidc_resume', uid, '/');
    expect((await victim.open(`${ISSUER}/authorize/${uid}`)).headers.location).toBeUndefined();
  });
});

// The library would log in the user of the interaction, or show a form that ends the other session.
describe('an interaction that is finished does not go on', () => {
  test.each<[string, (back: string, uid: string) => Promise<Reply>]>([
    ...LOST_SESSIONS.map(([title, lose]): [string, (back: string) => Promise<Reply>] => [
      title,
      async (back) => {
        await lose(victim, sso);
        return victim.open(back);
      },
    ]),
    [
      'in another session of the same user',
      async (back) => {
        victim.forget('TGC');
        await victim.signIn();
        return victim.open(back);
      },
    ],
    [
      'in the browser of an attacker, with the id',
      async (back, uid) => {
        await attacker.signIn(BOB);
        attacker.set('oidc_resume', uid, '/');
        return attacker.open(back);
      },
    ],
    [
      'a second time',
      async (back) => {
        expect(answerIn(await victim.open(back))).toHaveProperty('code');
        return victim.open(back);
      },
    ],
  ])('%s', async (_, resume) => {
    const uid = await begin(victim, { prompt: 'login' });
    expectRefusal(await resume(await finish(victim, uid), uid));
  });
});

test('HEAD finishes no interaction', async () => {
  const uid = await begin(victim);
  expect((await victim.send('HEAD', await answerLogin(victim, uid))).status).toBe(405);
  const [row] = await query(
    sso.database.url,
    `select payload from oidc_request where id = '\\x${sha256(uid)}'`,
  );
  expect(row).toHaveProperty('payload.returnTo');
  expect(row).not.toHaveProperty('payload.result.login');
});

test('a second user in the browser gets his own tokens, and those of the first end', async () => {
  await victim.signIn();
  const first = await tokensOf(config, victim);
  const page = await victim.open(await addressOf({ prompt: 'login' }));
  answerIn(await victim.logIn(page, BOB));
  const second = await tokensOf(config, victim);
  expect(second.claims()?.sub).toBe('bob');
  expect(second.claims()?.['sid']).not.toBe(first.claims()?.['sid']);
  const { status } = await http('GET', sso.url, '/oidc/userinfo', {
    headers: { authorization: `Bearer ${first.access_token}` },
  });
  expect(status).toBe(401);
});
