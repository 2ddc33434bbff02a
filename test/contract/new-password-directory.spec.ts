// Users who change their passwords in a directory: because they must, or because they are told that it ends soon.
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { AccountStore } from '@tessera/accounts';
import { Browser, formIn, type LoginForm, loginPath, ticketIn } from '../support/browser.js';
import { http, type Reply } from '../support/http.js';
import { PASSWORD, PASSWORD_POLICY } from '../support/ldap-people.js';
import { BASE, describeWithSlapd, PEOPLE, SERVICE_ACCOUNT, Slapd } from '../support/slapd.js';
import { APP, startSso, type Sso } from '../support/sso.js';

const NEW = 'a new and longer one';

let slapd: Slapd;
let sso: Sso;
let browser: Browser;

const fields = (currentPassword: string, newPassword: string) => ({
  currentPassword,
  newPassword,
  repeatedPassword: newPassword,
});
const userOf = async (ticket: string): Promise<string | undefined> => {
  const query = new URLSearchParams({ ticket, service: APP, renew: 'true' });
  const { body } = await http('GET', sso.url, `/serviceValidate?${query.toString()}`);
  return /<cas:user>(.*)<\/cas:user>/.exec(body)?.[1];
};
const heading = ({ body }: Reply): string | undefined => /<h1>(.*)<\/h1>/.exec(body)?.[1];
const change = (form: LoginForm): Promise<Reply> =>
  browser.post(form.action, { execution: form.execution, _eventId: 'change-password' });

describeWithSlapd('a user of a directory', () => {
  beforeAll(async () => {
    const passwords = `by self write by dn.exact="${SERVICE_ACCOUNT.dn}" write`;
    slapd = await Slapd.start({ ...PASSWORD_POLICY, passwords });
    sso = await startSso({
      settings: [
        '--sso.authentication.handlers=static,ldap',
        `--sso.authentication.ldap.urls=${slapd.url}`,
        `--sso.authentication.ldap.base-dn=${BASE}`,
        `--sso.authentication.ldap.bind-dn=${SERVICE_ACCOUNT.dn}`,
        `--sso.authentication.ldap.bind-password=${SERVICE_ACCOUNT.password}`,
        '--sso.authentication.ldap.password-change=rfc3062',
        '--sso.theme.links.password=https://id.example.org/',
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

  test.each([
    ['expired', 'Your password has expired. Choose a new one to sign in.'],
    ['reset', 'Choose a new password to sign in.'],
  ])(
    'whose password is %s chooses another one, and goes on to the application',
    async (name, text) => {
      const wrong = await browser.login(loginPath(APP), { username: name, password: 'wrong' });
      expect([wrong.status, heading(wrong)]).toEqual([401, 'Sign in']);
      const page = await browser.login(loginPath(APP), { username: name, password: PASSWORD });
      expect([page.status, heading(page)]).toEqual([401, 'Choose a new password']);
      expect(page.body).toContain(text);
      expect(page.headers['set-cookie']).toBeUndefined();
      const refused = await browser.submit(formIn(page), fields('wrong', NEW));
      expect([refused.status, heading(refused)]).toEqual([401, 'Choose a new password']);
      const reply = await browser.submit(formIn(refused), fields(PASSWORD, NEW));
      expect(await userOf(ticketIn(reply))).toBe(name);
      const again = new Browser(sso.url);
      ticketIn(await again.login(loginPath(APP), { username: name, password: NEW }));
    },
  );

  test('whose password ends soon may change it before going on', async () => {
    const other = new Browser(sso.url);
    const notice = await other.login(loginPath(APP), { username: 'ending', password: PASSWORD });
    expect(notice.body).toContain('value="change-password"');
    expect(notice.body).not.toContain('https://id.example.org/');
    browser = other;
    const page = await change(formIn(notice));
    expect([page.status, heading(page)]).toEqual([200, 'Choose a new password']);
    // The page before still goes on without a change.
    expect(await userOf(ticketIn(await browser.submit(formIn(notice), {})))).toBe('ending');
    const reply = await browser.submit(formIn(page), fields(PASSWORD, NEW));
    expect(await userOf(ticketIn(reply))).toBe('ending');
  });

  test('whose account is disabled changes nothing', async () => {
    const { dataSource } = sso.database;
    const page = await browser.login('/login', { username: 'late', password: PASSWORD });
    await AccountStore.of(dataSource).add({ name: 'late', passwordHash: '', disabled: true });
    const mark = slapd.mark;
    const reply = await browser.submit(formIn(page), fields(PASSWORD, NEW));
    expect([reply.status, heading(reply)]).toEqual([401, 'Choose a new password']);
    expect(reply.body).toContain('The current password is not correct.');
    expect(slapd.logSince(mark)).not.toContain('PASSMOD');
    await AccountStore.of(dataSource).remove('late');
  });

  test('ends the other sessions, also those by REST', async () => {
    const other = new Browser(sso.url);
    const soon = { username: 'good', password: PASSWORD };
    const tgt = await sso.login(soon.username, PASSWORD);
    await other.login('/login', soon);
    const name = `uid=good,${PEOPLE}`;
    await slapd.replace(name, 'pwdReset', 'TRUE');
    const page = await browser.login('/login', soon);
    expect((await browser.submit(formIn(page), fields(PASSWORD, NEW))).status).toBe(302);
    expect(heading(await browser.get('/login'))).toBe('You are signed in');
    expect(heading(await other.get('/login'))).toBe('Sign in');
    expect((await http('GET', sso.url, `/v1/tickets/${tgt}`)).status).toBe(404);
  });

  test('is told what the directory refuses, and never in its words', async () => {
    const late = { username: 'late', password: PASSWORD };
    const form = formIn(await browser.login('/login', late));
    const reply = await browser.submit(form, fields(PASSWORD, 'fourteen chars'));
    expect([reply.status, heading(reply)]).toEqual([400, 'Choose a new password']);
    expect(reply.body).toContain('The new password is too short.');
    expect(reply.body).not.toMatch(/Password fails quality|constraint/i);
  });

  test('is told 503 where the directory is away before the change', async () => {
    const page = await browser.login('/login', { username: 'late', password: PASSWORD });
    await slapd.stop();
    const reply = await browser.submit(formIn(page), fields(PASSWORD, NEW));
    expect([reply.status, heading(reply)]).toEqual([
      503,
      'Signing in is not possible at the moment',
    ]);
    await slapd.restart();
  });
});
