// Users whose password ends soon: they are told once after each login, and go on to the application from there.
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { Browser, formIn, loginPath, ticketIn } from '../support/browser.js';
import { http, type Reply } from '../support/http.js';
import { PASSWORD, PASSWORD_POLICY } from '../support/ldap-people.js';
import { BASE, describeWithSlapd, SERVICE_ACCOUNT, Slapd } from '../support/slapd.js';
import { APP, startSso, type Sso } from '../support/sso.js';

const OTHER = 'https://other.example.org/';
const ENDING = { username: 'ending', password: PASSWORD };
const NOTICE = '<h1>Your password expires soon</h1>';

let slapd: Slapd;
let sso: Sso;
let browser: Browser;

const validate = (ticket: string, service = APP): Promise<Reply> => {
  const query = new URLSearchParams({ ticket, service, renew: 'true' });
  return http('GET', sso.url, `/serviceValidate?${query.toString()}`);
};
const expectForm = ({ status, body }: Reply, expected: number): void => {
  expect([status, /<h1>(.*)<\/h1>/.exec(body)?.[1]]).toEqual([expected, 'Sign in']);
};

describeWithSlapd('a password that ends soon', () => {
  beforeAll(async () => {
    slapd = await Slapd.start(PASSWORD_POLICY);
    sso = await startSso({
      services: [{ serviceId: '^https://other\\.example\\.org/.*', name: 'other' }],
      settings: [
        '--sso.authentication.handlers=static,ldap',
        `--sso.authentication.ldap.urls=${slapd.url}`,
        `--sso.authentication.ldap.base-dn=${BASE}`,
        `--sso.authentication.ldap.bind-dn=${SERVICE_ACCOUNT.dn}`,
        `--sso.authentication.ldap.bind-password=${SERVICE_ACCOUNT.password}`,
      ],
    });
  });
  beforeEach(() => {
    browser = new Browser(sso.url);
  });
  afterAll(async () => {
    await sso.close();
    await slapd.remove();
  });

  test('is not told with a wrong password, and not over REST', async () => {
    const wrong = { ...ENDING, password: 'wrong' };
    const refused = await browser.login(loginPath(APP), wrong);
    expectForm(refused, 401);
    expect(refused.body).not.toContain('expire');
    expect(await http('POST', sso.url, '/v1/tickets', { form: ENDING })).toMatchObject({
      status: 201,
    });
  });

  test('is told before the application, once for a login', async () => {
    const notice = await browser.login(loginPath(APP), ENDING);
    expect(notice.status).toBe(200);
    expect(notice.body).toContain(NOTICE);
    expect(notice.body).toMatch(/It expires on [^.]+ UTC\. Days left: 0\./);
    expect(notice.body).not.toMatch(/(?:=|")ST-/);
    const ticket = ticketIn(await browser.submit(formIn(notice), {}));
    expect((await validate(ticket)).body).toContain('<cas:user>ending</cas:user>');
    expect(ticketIn(await browser.get(loginPath(OTHER)))).toMatch(/^ST-/);
  });

  test('is told for grace logins, with their number', async () => {
    const { body } = await browser.login('/login', { ...ENDING, username: 'grace' });
    expect(body).toMatch(/It has expired already\. Sign-ins left with it: \d\./);
  });

  test.each([
    ['renew', { renew: 'true' }, /^HTTP 302/],
    ['method=POST', { method: 'POST' }, /name="ticket" value="ST-/],
  ])('keeps %s', async (_what, parameters, expected) => {
    await browser.login('/login');
    const notice = await browser.login(loginPath(APP, { renew: 'true', ...parameters }), ENDING);
    const { status, headers, body } = await browser.submit(formIn(notice), {});
    expect(`HTTP ${status} ${body}`).toMatch(expected);
    const ticket = /ST-[\w-]+/.exec(`${headers.location} ${body}`)?.[0] ?? '';
    expect((await validate(ticket)).body).toContain('<cas:user>ending</cas:user>');
  });

  test('without an application leads to the page of the session', async () => {
    const notice = await browser.login('/login', ENDING);
    const reply = await browser.submit(formIn(notice), {});
    expect([reply.status, reply.headers.location]).toEqual([302, '/cas/login']);
  });

  test('leads to the application of the login, whatever the address says by then', async () => {
    const { execution } = formIn(await browser.login(loginPath(APP), ENDING));
    const evil = loginPath('https://evil.example.org/');
    const reply = await browser.submit({ execution, action: evil }, { service: evil });
    expect(reply.headers.location).toMatch(/^https:\/\/app\.example\.org\/\?ticket=ST-/);
  });

  test('gives one ticket: a second use of the form is refused', async () => {
    const form = formIn(await browser.login(loginPath(APP), ENDING));
    ticketIn(await browser.submit(form, {}));
    const again = await browser.submit(form, {});
    expectForm(again, 400);
    expect(again.body).toContain('was already used');
  });

  test.each([
    ['without a session', () => Promise.resolve(new Browser(sso.url))],
    [
      'with the session of somebody else',
      async () => {
        const other = new Browser(sso.url);
        await other.login();
        return other;
      },
    ],
  ])('gives no ticket %s', async (_how, others) => {
    const form = formIn(await browser.login(loginPath(APP), ENDING));
    expectForm(await (await others()).submit(form, {}), 200);
    ticketIn(await browser.submit(form, {}));
  });

  test('gives no ticket for a forged form', async () => {
    const { action, execution } = formIn(await browser.login(loginPath(APP), ENDING));
    const forged = `${execution.slice(0, -2)}AA`;
    expectForm(await browser.submit({ action, execution: forged }, {}), 400);
  });

  test('is told to nobody with warn-before=0', async () => {
    await sso.reconfigure({ 'sso.authentication.password.warn-before': '0s' });
    ticketIn(await browser.login(loginPath(APP), ENDING));
    await sso.reconfigure({});
  });
});
