// Attacks on the page that asks for consent: nothing is allowed by them.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { NewService } from '@tessera/services';
import { SealingKey } from '../../apps/sso/src/login/login-key.js';
import { formIn } from '../support/browser.js';
import {
  answerIn,
  clearConsents,
  ConsentBrowser,
  type Fields,
  rowsOf,
  startConsents,
} from '../support/consent-browser.js';
import type { Reply } from '../support/http.js';
import { BOB, discover, REDIRECT_URI, requestOf } from '../support/oidc-client.js';
import { BASE_URL, type Sso } from '../support/sso.js';

const hostile = (clientId: string, name: string, logo: string): NewService => ({
  name,
  serviceId: null,
  clientId,
  properties: { logo },
  client: {
    redirectUris: [REDIRECT_URI],
    tokenEndpointAuthMethod: 'none',
    scopes: ['openid', 'profile', 'email'],
    consent: 'always',
  },
});

const HOSTILE = [
  hostile('markup', '"><script>alert(1)</script>', 'javascript:alert(1)'),
  hostile('nested', '$t(login.title) {{username}} {{ brand.name }}', 'http://evil.example/x.png'),
  hostile('data', 'Data', 'data:image/svg+xml,<svg onload="alert(1)"/>'),
  hostile('split', 'Split', 'https://evil.example; script-src *'),
  hostile('logo', 'Logo', 'https://cdn.example.org/"onerror="alert(1)'),
];

let sso: Sso;
let browser: ConsentBrowser;

beforeAll(async () => {
  sso = await startConsents(HOSTILE);
});
beforeEach(() => {
  browser = new ConsentBrowser(sso);
});
afterEach(() => clearConsents(sso));
afterAll(() => sso.close());

describe('an answer', () => {
  const post = (page: Reply, fields: Fields, headers: Fields = {}): Promise<Reply> => {
    const { action, execution } = formIn(page);
    const form = { execution, _eventId: 'allow', ...fields };
    return browser.send('POST', `${BASE_URL}${action}`, form, headers);
  };

  test.each<[string, (page: Reply) => Promise<Reply>]>([
    ['without the state of the form', (page) => post(page, { execution: '' })],
    ['with a forged state', (page) => post(page, { execution: 'v1.interaction.AAAA' })],
    [
      'with a state by the key of the server alone',
      async (page) => {
        const uid = formIn(page).action.split('/').at(-1);
        const form = { uid, scopes: ['openid', 'profile', 'email'] };
        const execution = await sso.application.get(SealingKey).seal('consent-form', form);
        return post(page, { execution });
      },
    ],
    [
      'with the state of a login form',
      async (page) => {
        const { execution } = formIn(await browser.open(`${BASE_URL}/login?renew=true`));
        return post(page, { execution });
      },
    ],
    [
      'with the state of another request',
      async (page) => {
        const { execution } = formIn((await browser.request('always')).reply);
        return post(page, { execution });
      },
    ],
    [
      'from another browser',
      async (page) => {
        browser = new ConsentBrowser(sso);
        await browser.signIn();
        return post(page, {});
      },
    ],
    [
      'after the user has signed out',
      async (page) => {
        await browser.send('GET', `${BASE_URL}/logout`);
        return post(page, {});
      },
    ],
    [
      'of a user who has signed in since the page was shown',
      async (page) => {
        await browser.logIn(await browser.open(`${BASE_URL}/login?renew=true`), BOB);
        return post(page, {});
      },
    ],
    [
      'to a request that has expired',
      async (page) => {
        await rowsOf(sso, "update oidc_request set expires_at = now() where model = 'Interaction'");
        return post(page, {});
      },
    ],
  ])('%s is refused', async (_, answer) => {
    const { reply } = await browser.request('once');
    const answered = await answer(reply);
    expect([answered.status, answered.headers.location]).toEqual([400, undefined]);
    expect(answered.body).toContain('This sign-in cannot go on');
    expect(await rowsOf(sso, 'select from oidc_consent')).toEqual([]);
  });

  // Origin: OWASP "Cross-Site Request Forgery".
  test.each([
    [{ 'sec-fetch-site': 'cross-site' }, 403],
    [{ 'sec-fetch-site': 'same-site' }, 403],
    [{ origin: 'https://evil.example' }, 403],
    [{ 'sec-fetch-site': 'same-origin' }, 303],
  ])('that is sent with %j gets %i', async (headers, status) => {
    const { reply } = await browser.request('once');
    expect((await post(reply, {}, headers)).status).toBe(status);
    expect(await rowsOf(sso, 'select from oidc_consent')).toHaveLength(status === 303 ? 1 : 0);
  });

  test('is taken once', async () => {
    const { reply } = await browser.request('always');
    answerIn(await browser.allow(reply));
    expect((await post(reply, {})).status).toBe(400);
  });

  test('to an interaction of the login page is refused', async () => {
    const { reply } = await browser.request('once');
    const { execution } = formIn(reply);
    const request = await requestOf(await discover(sso, 'once'), { prompt: 'login' });
    await browser.open(request.address);
    const address = browser.visited.findLast((each) => each.includes('/oidc/interaction/')) ?? '';
    const answered = await browser.send('POST', address, { execution, _eventId: 'allow' });
    expect(answered.status).toBe(400);
  });
});

// Origin: OWASP "Cross Site Scripting".
describe('the page of a hostile client', () => {
  test.each([
    ['markup', 'markup', '&#34;&gt;&lt;script&gt;alert(1)&lt;/script&gt; asks for:'],
    ['another text of ours', 'nested', '$t(login.title) {{username}} {{ brand.name }} asks for:'],
  ])('shows a name with %s as it is', async (_, clientId, shown) => {
    const { reply } = await browser.request(clientId);
    expect(reply.body).toContain(shown);
    expect(reply.body).not.toContain('<script>alert');
    await browser.allow(reply);
    const { body } = await browser.open(`${BASE_URL}/login`);
    expect(body).toContain(`<bdi>${shown.replace(' asks for:', '')}</bdi>`);
    expect(body).not.toContain('<script>alert');
  });

  test.each([
    ['markup', undefined],
    ['nested', undefined],
    ['data', undefined],
    ['split', undefined],
    ['logo', 'https://cdn.example.org'],
  ])('of the name %s may load images from %s', async (clientId, origin) => {
    const { reply } = await browser.request(clientId);
    const policy = reply.headers['content-security-policy'];
    expect(policy).toContain(`img-src 'self'${origin === undefined ? '' : ` ${origin}`};`);
    expect(policy).toContain("default-src 'none'; style-src 'self'; script-src 'self';");
    expect(reply.body.includes('<p class="application">\n<img')).toBe(origin !== undefined);
  });
});
