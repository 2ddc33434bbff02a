// Sessions end with the account of their user, by any way of changing it.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { AccountStore } from '@tessera/accounts';
import { PasswordHashing } from '@tessera/crypto';
import { Browser, loginPath, ticketIn } from '../support/browser.js';
import { runTessera } from '../support/command-line.js';
import { http, type Reply } from '../support/http.js';
import { APP, startSso, type Sso } from '../support/sso.js';
import { until } from '../support/until.js';
import { validate } from '../support/validation.js';

const CHEAP = ['memory=8', 'iterations=1'].map(
  (each) => `--sso.authentication.accounts.argon2.${each}`,
);
const HASHING = new PasswordHashing({ memory: 8, iterations: 1, parallelism: 1 });

let sso: Sso;
let accounts: AccountStore;
let hash: string;
let directory: string;

beforeAll(async () => {
  sso = await startSso({ settings: CHEAP });
  accounts = AccountStore.of(sso.database.dataSource);
  hash = await HASHING.hash('Mellon');
  directory = await mkdtemp(join(tmpdir(), 'tessera-'));
});
afterAll(async () => {
  await sso.close();
  await rm(directory, { recursive: true });
});
beforeEach(async () => {
  await sql('delete from user_account');
  await accounts.add({ name: 'jane', passwordHash: hash, attributes: { mail: ['j@example.org'] } });
});

const sql = (text: string): Promise<unknown> => sso.database.dataSource.query(text);

async function command(args: readonly string[], input = ''): Promise<void> {
  const settings = [`--database.url=${sso.database.url}`, `--settings.location=${directory}`];
  const { exitCode, stderr } = await runTessera(['user', ...args, ...CHEAP, ...settings], input);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
}

async function imported(account: object): Promise<void> {
  const path = join(directory, 'users.json');
  await writeFile(path, JSON.stringify([account]));
  await command(['import', '--update', path]);
}

type Row = readonly [string, () => Promise<unknown>];

const ENDING: readonly Row[] = [
  ['user disable', () => command(['disable', 'jane'])],
  ['user passwd', () => command(['passwd', 'jane', '--password-stdin'], 'another\n')],
  ['user remove', () => command(['remove', 'jane'])],
  ['user set --expires in the past', () => command(['set', 'jane', '--expires', '2001-01-01'])],
  ['an import with a password', () => imported({ name: 'jane', password: 'another' })],
  ['an import that disables', () => imported({ name: 'jane', disabled: true })],
  ['SQL that disables', () => sql('update user_account set disabled = true')],
  ['SQL that removes', () => sql('delete from user_account')],
  ['SQL that renames', () => sql("update user_account set name = 'ann'")],
];
const HARMLESS: readonly Row[] = [
  ['other attributes', () => command(['set', 'jane', '--attribute', 'mail=x@example.org'])],
  ['an expiry to come', () => command(['set', 'jane', '--expires', '2099-01-01'])],
  ['an import without a password', () => imported({ name: 'jane', attributes: { sn: ['X'] } })],
  ['another hash of the password', () => accounts.replaceHash('jane', hash, `${hash} `)],
  ['the removal of another account', () => removeOther()],
];

const nothing = (): Promise<void> => Promise.resolve();

async function removeOther(): Promise<void> {
  await accounts.add({ name: 'Jane', passwordHash: hash });
  await accounts.remove('Jane');
}

/** Of a browser that is remembered, and of a program. */
async function openSessions(): Promise<() => Promise<readonly boolean[]>> {
  const browser = new Browser(sso.url);
  await browser.login('/login', { username: 'jane', password: 'Mellon', rememberMe: 'true' });
  ticketIn(await browser.get(loginPath(APP)));
  const tgt = await sso.login('jane');
  return async () => [
    (await browser.get(loginPath(APP))).status === 302,
    (await http('GET', sso.url, `/v1/tickets/${tgt}`)).status === 200,
  ];
}

test.each(ENDING)('%s ends them, the remembered one included', async (_, change) => {
  const isLive = await openSessions();
  await change();
  expect(await isLive()).toEqual([false, false]);
});

test.each(HARMLESS)('%s leaves them open', async (_, change) => {
  const isLive = await openSessions();
  await change();
  expect(await isLive()).toEqual([true, true]);
});

const inAnHour = (): Date => new Date(Date.now() + 3_600_000);
const addCasuser = (): Promise<void> =>
  accounts.add({ name: 'casuser', passwordHash: 'none', expiresAt: inAnHour() });

const MEANWHILE: readonly Row[] = [
  ['is disabled', () => accounts.disable('jane')],
  ['gets another password', () => accounts.setPassword('jane', `${hash} `)],
  ['is removed', () => accounts.remove('jane')],
  ['is renamed', () => sql("update user_account set name = 'ann'")],
  [
    'is removed and added again',
    async () => {
      await accounts.remove('jane');
      await accounts.add({ name: 'jane', passwordHash: hash });
    },
  ],
];

const JANE = { username: 'jane', password: 'Mellon' };

/** Sends the form of a path, and makes a change between the check of the password and the session. */
async function logInAround(browser: Browser, path: string, change: Row[1]): Promise<Reply> {
  const form = await browser.form(path);
  // The password is checked before the form is marked as used.
  const runner = sso.database.dataSource.createQueryRunner();
  await runner.startTransaction();
  await runner.query('lock table used_login_form in share mode');
  const sent = browser.submit(form, JANE);
  await until('the login waits', async () => (await countWaiting()) === 1);
  await change();
  await runner.rollbackTransaction();
  await runner.release();
  return sent;
}

test.each(MEANWHILE)(
  'a login begins none where the account %s between its check and its session',
  async (_, change) => {
    const browser = new Browser(sso.url);
    const reply = await logInAround(browser, loginPath(APP), change);
    expect(reply.headers.location).toBe('/cas/login');
    expect((await browser.get(loginPath(APP))).status).toBe(200);
  },
);

test.each(MEANWHILE)(
  'a further login goes on with none where the account %s between its check and its session',
  async (_, change) => {
    const browser = new Browser(sso.url);
    ticketIn(await browser.login(loginPath(APP), JANE));
    const reply = await logInAround(browser, loginPath(APP, { renew: 'true' }), change);
    expect(reply.headers.location).toBe('/cas/login');
    expect((await browser.get(loginPath(APP))).status).toBe(200);
  },
);

test('a further login begins another where its session ends between its check and its session', async () => {
  const browser = new Browser(sso.url);
  ticketIn(await browser.login(loginPath(APP), JANE));
  const { cookie } = browser;
  const reply = await logInAround(browser, loginPath(APP, { renew: 'true' }), () =>
    sql('delete from ticket_granting_ticket'),
  );
  const { status } = await validate(sso, '/serviceValidate', {
    service: APP,
    ticket: ticketIn(reply),
    renew: 'true',
  });
  expect(status).toBe(200);
  expect(browser.cookie).not.toBe(cookie);
  expect((await browser.get(loginPath(APP))).status).toBe(302);
});

test('a further login brings the attributes of the account of now', async () => {
  const browser = new Browser(sso.url);
  await browser.login('/login', JANE);
  await accounts.change('jane', { attributes: { mail: ['new@example.org'] } });
  const attributes = async (path: string, login = false): Promise<string> => {
    const ticket = ticketIn(login ? await browser.login(path, JANE) : await browser.get(path));
    return (await validate(sso, '/p3/serviceValidate', { service: APP, ticket })).body;
  };
  expect(await attributes(loginPath(APP))).toContain('<cas:mail>j@example.org<');
  for (const isRenewed of [true, false]) {
    const path = loginPath(APP, isRenewed ? { renew: 'true' } : {});
    expect(await attributes(path, isRenewed)).toContain('<cas:mail>new@example.org<');
  }
});

async function countWaiting(): Promise<number> {
  const rows = await sso.database.dataSource.query<readonly object[]>(
    `select from pg_locks where relation = 'used_login_form'::regclass and not granted`,
  );
  return rows.length;
}

test.each<readonly [string, string, () => Promise<unknown>, () => Promise<unknown>]>([
  ['at the login', 'jane', () => accounts.change('jane', { expiresAt: inAnHour() }), nothing],
  ['set meanwhile', 'jane', nothing, () => accounts.change('jane', { expiresAt: inAnHour() })],
  ['of an account of the name, added meanwhile', 'casuser', nothing, addCasuser],
])('none outlives the expiry: %s', async (_, name, before, after) => {
  await before();
  const tgt = await sso.login(name);
  await after();
  const rows = await sso.database.dataSource.query<readonly object[]>(
    `select hard_expires_at = a.expires_at and t.expires_at = a.expires_at as limited
     from ticket_granting_ticket t join user_account a on a.name = t.principal
     where t.id = sha256(convert_to($1, 'UTF8'))`,
    [tgt],
  );
  expect(rows).toEqual([{ limited: true }]);
});

test('a disabled account ends those of users of its name that another handler accepted', async () => {
  const tgt = await sso.login('casuser');
  await accounts.add({ name: 'casuser', passwordHash: 'none' });
  expect((await http('GET', sso.url, `/v1/tickets/${tgt}`)).status).toBe(200);
  await accounts.disable('casuser');
  expect((await http('GET', sso.url, `/v1/tickets/${tgt}`)).status).toBe(404);
});
