// Accounts that change while their users change the password, and a database that is lost.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { AccountStore } from '@tessera/accounts';
import { PasswordHashing } from '@tessera/crypto';
import { Browser, formIn, type LoginForm } from '../support/browser.js';
import { http, type Reply } from '../support/http.js';
import { startSso, type Sso } from '../support/sso.js';
import { until } from '../support/until.js';

const HASHING = new PasswordHashing({ memory: 8, iterations: 1, parallelism: 1 });
const OLD = 'old but long enough';
const NEW = 'a new and longer one';

let sso: Sso;
let accounts: AccountStore;
let browser: Browser;

const sql = <T>(text: string): Promise<T> => sso.database.dataSource.query(text);
const login = async (password: string): Promise<number> =>
  (await http('POST', sso.url, '/v1/tickets', { form: { username: 'jane', password } })).status;
const heading = ({ body }: Reply): string | undefined => /<h1>(.*)<\/h1>/.exec(body)?.[1];
const fields = (currentPassword: string, newPassword: string) => ({
  currentPassword,
  newPassword,
  repeatedPassword: newPassword,
});

/** The form for a new password, of a user who has signed in. */
async function opened(): Promise<LoginForm> {
  await browser.login('/login', { username: 'jane', password: OLD });
  const { execution } = await browser.form('/login');
  return formIn(await browser.post('/login', { execution, _eventId: 'change-password' }));
}

beforeAll(async () => {
  sso = await startSso({
    settings: [
      '--sso.authentication.accounts.password-change=true',
      '--sso.authentication.accounts.argon2.memory=8',
      '--sso.authentication.accounts.argon2.iterations=1',
    ],
  });
  accounts = AccountStore.of(sso.database.dataSource);
});
beforeEach(async () => {
  await sql('delete from user_account');
  await accounts.add({ name: 'jane', passwordHash: await HASHING.hash(OLD) });
  browser = new Browser(sso.url);
});
afterAll(() => sso.close());

describe('an account that changes meanwhile', () => {
  test('to another password keeps that', async () => {
    const form = await opened();
    await accounts.setPassword('jane', await HASHING.hash('set by the help desk'));
    expect((await browser.submit(form, fields(OLD, NEW))).status).toBe(401);
    expect(await login('set by the help desk')).toBe(201);
  });

  test('to a disabled one is refused as with a wrong password', async () => {
    const form = await opened();
    await accounts.disable('jane');
    const reply = await browser.submit(form, fields(OLD, NEW));
    expect([reply.status, reply.body.includes('current password is not correct')]).toEqual([
      401,
      true,
    ]);
  });

  test('during the change is not overwritten', async () => {
    const form = await opened();
    const runner = sso.database.dataSource.createQueryRunner();
    await runner.startTransaction();
    await runner.query(
      `update user_account set password_hash = $1, password_changed_at = now() + interval '1 second'`,
      [await HASHING.hash('set by the help desk')],
    );
    const reply = browser.submit(form, fields(OLD, NEW));
    await until('the change waits for the row', isWaiting);
    await runner.commitTransaction();
    await runner.release();
    expect((await reply).status).toBe(401);
    expect(await login('set by the help desk')).toBe(201);
  });

  test('is told as undecided where the database is lost in the middle', async () => {
    const form = await opened();
    const runner = sso.database.dataSource.createQueryRunner();
    await runner.startTransaction();
    await runner.query('select from user_account for update');
    const replied = browser.submit(form, fields(OLD, NEW));
    await until('the change waits for the row', isWaiting);
    sso.databaseProxy.cut();
    const reply = await replied;
    await runner.rollbackTransaction();
    await runner.release();
    expect([reply.status, heading(reply)]).toEqual([503, 'Choose a new password']);
    expect(reply.body).toContain('It is not known whether your password was changed.');
  });

  async function isWaiting(): Promise<boolean> {
    const [{ count } = { count: 0 }] = await sql<readonly { count: number }[]>(
      `select count(*)::int as count from pg_stat_activity
       where wait_event_type = 'Lock' and query like '%password_changed_at = now()%'`,
    );
    return count > 0;
  }
});
