// Users who change the password of their own account.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { AccountStore } from '@tessera/accounts';
import { PasswordHashing } from '@tessera/crypto';
import { Browser, formIn, type LoginForm, loginPath, ticketIn } from '../support/browser.js';
import { makeFolder, removeFolder } from '../support/folders.js';
import { http, type Reply } from '../support/http.js';
import { APP, startSso, type Sso } from '../support/sso.js';
import { until } from '../support/until.js';

const HASHING = new PasswordHashing({ memory: 8, iterations: 1, parallelism: 1 });
const OLD = 'old but long enough';
const NEW = 'a new and longer one';
const JANE = { username: 'jane', password: OLD };
const LISTED = 'Listed By The Site';

let sso: Sso;
let accounts: AccountStore;
let hash: string;
let folder: string;
let browser: Browser;

const sql = <T>(text: string, parameters: readonly unknown[] = []): Promise<T> =>
  sso.database.dataSource.query(text, [...parameters]);

/** The form for a new password, of a user who has signed in. */
async function opened(given = browser, credential = JANE): Promise<LoginForm> {
  await given.login('/login', credential);
  return formIn(await change(given, await given.form('/login')));
}

/** The button of the page of the session. */
const change = (given: Browser, form: LoginForm): Promise<Reply> =>
  given.post('/login', { execution: form.execution, _eventId: 'change-password' });

const fields = (current: string, chosen: string, repeated = chosen) => ({
  currentPassword: current,
  newPassword: chosen,
  repeatedPassword: repeated,
});

const login = async (password: string, username = 'jane'): Promise<number> =>
  (await http('POST', sso.url, '/v1/tickets', { form: { username, password } })).status;

const heading = ({ body }: Reply): string | undefined => /<h1>(.*)<\/h1>/.exec(body)?.[1];

beforeAll(async () => {
  folder = await makeFolder();
  const list = join(folder, 'common.txt');
  await writeFile(list, `something\r\n${LISTED}\n\n`);
  sso = await startSso({
    files: {
      'sso.yml': JSON.stringify({ 'sso.authentication.accounts.password-change': true }),
    },
    settings: [
      '--sso.authentication.accounts.argon2.memory=8',
      '--sso.authentication.accounts.argon2.iterations=1',
      '--sso.authentication.password.min-length=12',
      '--sso.authentication.password.history=3',
      `--sso.authentication.password.common-file=${list}`,
    ],
  });
  accounts = AccountStore.of(sso.database.dataSource);
  hash = await HASHING.hash(OLD);
});
beforeEach(async () => {
  await sql('delete from user_account');
  await sql('delete from authentication_failure');
  await accounts.add({ name: 'jane', passwordHash: hash });
  browser = new Browser(sso.url);
});
afterAll(async () => {
  await sso.close();
  await removeFolder(folder);
});

describe('a new password', () => {
  // First: a process stores a number of refused events of one address.
  test('is recorded, and so is a refusal, without passwords', async () => {
    await sql('delete from audit_event');
    const form = await opened();
    const again = formIn(await browser.submit(form, fields('wrong', NEW)));
    const third = formIn(await browser.submit(again, fields(OLD, 'short')));
    await browser.submit(third, fields(OLD, NEW));
    const changes = await until(
      'the events are stored',
      async () => {
        const rows = await sql<readonly object[]>(
          `select outcome, reason, principal, details from audit_event
         where action = 'CHANGE_PASSWORD' order by occurred_at`,
        );
        return rows.length === 3 ? rows : undefined;
      },
      5000,
    );
    const common = { principal: 'jane', details: { handler: 'accounts' } };
    expect(changes).toEqual([
      { ...common, outcome: 'failure', reason: 'CREDENTIALS_REFUSED' },
      { ...common, outcome: 'failure', reason: 'PASSWORD_TOO_SHORT' },
      { ...common, outcome: 'success', reason: null },
    ]);
  });

  test.each([
    ['with a wrong current one', fields('wrong', NEW), 401, 'The current password is not correct.'],
    ['that is not repeated', fields(OLD, NEW, `${NEW}!`), 400, 'are not the same'],
    ['that is the current one', fields(OLD, OLD), 400, 'is the current one'],
    ['that is short', fields(OLD, 'a b c d e f'), 400, 'Use at least 12 characters'],
    ['that is very long', fields(OLD, 'x'.repeat(1_001)), 400, 'is too long'],
    ['of the list of the site', fields(OLD, LISTED.toUpperCase()), 400, 'guessed first'],
    ['that many use', fields(OLD, 'CorrectHorseBatteryStaple'), 400, 'guessed first'],
    ['with the user name', fields(OLD, 'all of JANE is here'), 400, 'contain your user name'],
    ['that is empty', fields(OLD, ''), 400, 'Fill in all three fields.'],
    ['without the current one', fields('', NEW), 400, 'Fill in all three fields.'],
  ])('%s is refused, and the form shown again', async (_what, given, status, text) => {
    const reply = await browser.submit(await opened(), given);
    expect([reply.status, heading(reply)]).toEqual([status, 'Choose a new password']);
    expect(reply.body).toContain(text);
    // With it, browsers cut what is pasted, and say nothing.
    expect(reply.body).not.toContain('maxlength');
    for (const secret of Object.values(given)) {
      if (secret !== '') expect(reply.body).not.toContain(`"${secret}"`);
    }
    expect(await login(OLD)).toBe(201);
    expect((await browser.submit(formIn(reply), fields(OLD, NEW))).status).toBe(302);
  });

  test('ends the other sessions, and goes on with this one', async () => {
    const other = new Browser(sso.url);
    await other.login('/login', JANE);
    const tgt = await sso.login('jane', OLD);
    const reply = await browser.submit(await opened(), fields(OLD, NEW));
    expect([reply.status, reply.headers.location]).toEqual([302, '/cas/login']);
    expect(ticketIn(await browser.get(loginPath(APP)))).toMatch(/^ST-/);
    expect(heading(await other.get('/login'))).toBe('Sign in');
    expect((await http('GET', sso.url, `/v1/tickets/${tgt}`)).status).toBe(404);
    expect([await login(OLD), await login(NEW)]).toEqual([400, 201]);
  });

  test('may not be one of the last three', async () => {
    const passwords = [OLD, NEW, 'the third of them', 'the fourth of them'];
    for (const [index, next] of passwords.slice(1).entries()) {
      const current = passwords[index] ?? '';
      const other = new Browser(sso.url);
      const form = await opened(other, { ...JANE, password: current });
      expect((await other.submit(form, fields(current, next))).status).toBe(302);
    }
    const [, second = '', , fourth = ''] = passwords;
    const form = await opened(browser, { ...JANE, password: fourth });
    const reply = await browser.submit(form, fields(fourth, second));
    expect([reply.status, reply.body.includes('You have used this password before.')]).toEqual([
      400,
      true,
    ]);
    // The history has the two before the current one; this is the fourth.
    expect((await browser.submit(formIn(reply), fields(fourth, OLD))).status).toBe(302);
    expect(await sql('select count(*)::int as count from password_history')).toEqual([
      { count: 2 },
    ]);
  });
});

describe('the form', () => {
  test('is used once', async () => {
    const form = await opened();
    const replies = await Promise.all([
      browser.submit(form, fields(OLD, NEW)),
      new Browser(sso.url).submit(form, fields(OLD, 'another new password')),
    ]);
    const [first] = replies;
    expect(replies.map(({ status }) => status).toSorted()).toEqual([302, 400]);
    expect(await login(first.status === 302 ? NEW : 'another new password')).toBe(201);
    const again = await browser.submit(form, fields(NEW, OLD));
    expect([again.status, heading(again)]).toEqual([400, 'Sign in']);
    expect(again.body).toContain('was already used');
  });

  test('is for the user who has signed in, whatever it says', async () => {
    await accounts.add({ name: 'john', passwordHash: hash });
    const given = { ...fields(OLD, NEW), username: 'john', password: OLD };
    await browser.submit(await opened(), given);
    expect([await login(NEW), await login(OLD, 'john')]).toEqual([201, 201]);
  });

  test.each([
    ['forged', (form: LoginForm) => ({ ...form, execution: `${form.execution.slice(0, -2)}AA` })],
    ['without its state', (form: LoginForm) => ({ ...form, execution: '' })],
  ])('%s changes nothing', async (_what, forge) => {
    const reply = await browser.submit(forge(await opened()), fields(OLD, NEW));
    expect([reply.status, heading(reply)]).toEqual([400, 'Sign in']);
    expect(await login(OLD)).toBe(201);
  });

  test('of another site changes nothing', async () => {
    const { action, execution } = await opened();
    const headers = { 'sec-fetch-site': 'cross-site' };
    const reply = await browser.post(action, { execution, ...fields(OLD, NEW) }, headers);
    expect([reply.status, await login(OLD)]).toEqual([403, 201]);
  });

  test('in the address is refused', async () => {
    const query = new URLSearchParams(fields(OLD, NEW)).toString();
    expect((await browser.get(`/login?${query}`)).status).toBe(400);
  });

  test('is not for the session of somebody else', async () => {
    await accounts.add({ name: 'john', passwordHash: hash });
    await browser.login('/login', JANE);
    const form = await browser.form('/login');
    const other = new Browser(sso.url);
    await other.login('/login', { ...JANE, username: 'john' });
    expect(heading(await change(other, form))).toBe('Sign in');
    expect(heading(await change(new Browser(sso.url), form))).toBe('Sign in');
  });

  test('changes nothing where users may not, and no page offers it', async () => {
    const form = await opened();
    await sso.reconfigure({});
    const reply = await browser.submit(form, fields(OLD, NEW));
    expect([reply.status, reply.body.includes('You may not change your password here.')]).toEqual([
      400,
      true,
    ]);
    expect((await browser.get('/login')).body).not.toContain('change-password');
    await sso.reconfigure({ 'sso.authentication.accounts.password-change': true });
    expect(await login(OLD)).toBe(201);
  });
});

test('a password that has expired by its age is changed at the login', async () => {
  await sso.reconfigure({
    'sso.authentication.accounts.password-change': true,
    'sso.authentication.accounts.password-max-age': '90d',
  });
  await sql(`update user_account set password_changed_at = now() - interval '80 days'`);
  const notice = await browser.login(loginPath(APP), JANE);
  expect(notice.body).toMatch(/It expires on [^.]+ UTC\. Days left: 9\./);
  await sql(`update user_account set password_changed_at = now() - interval '91 days'`);
  const wrong = await browser.login('/login?renew=true', { ...JANE, password: 'wrong' });
  expect([wrong.status, heading(wrong)]).toEqual([401, 'Sign in']);
  const page = await new Browser(sso.url).login(loginPath(APP), JANE);
  expect([page.status, heading(page)]).toEqual([401, 'Choose a new password']);
  ticketIn(await browser.submit(formIn(page), fields(OLD, NEW)));
  expect(await login(NEW)).toBe(201);
  await sso.reconfigure({ 'sso.authentication.accounts.password-change': true });
});

test('wrong current passwords are counted as failed logins of the form', async () => {
  let form = await opened();
  for (let turn = 0; turn < 10; turn += 1) {
    form = formIn(await browser.submit(form, fields('wrong', NEW)));
  }
  const reply = await browser.submit(form, fields(OLD, NEW));
  expect([reply.status, Number(reply.headers['retry-after']) > 0]).toEqual([429, true]);
  expect(reply.body).toContain('Too many failed attempts.');
  expect((await new Browser(sso.url).login('/login', JANE)).status).toBe(429);
  expect(await login(OLD)).toBe(201);
});
