// Many people log in at once: each ends as himself.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { PasswordHashing } from '@tessera/crypto';
import { Browser, loginPath, ticketIn } from '../support/browser.js';
import { APP, startSso, type Sso } from '../support/sso.js';
import { validate } from '../support/validation.js';

const USERS = 100;
const PASSWORD = 'Mellon';
/** Logins under way at a time: as many as the database has connections, so that none waits too long. */
const CONCURRENT = 10;

let sso: Sso;

beforeAll(async () => {
  sso = await startSso({
    settings: [
      '--sso.authentication.handlers=accounts',
      '--sso.authentication.accounts.argon2.memory=8',
      '--sso.authentication.accounts.argon2.iterations=1',
      '--sso.rate-limit.login-form=0',
    ],
  });
  const hashing = new PasswordHashing({ memory: 8, iterations: 1, parallelism: 1, maxRunning: 1 });
  await sso.database.dataSource.query(
    "insert into user_account (name, password_hash) select 'user' || n, $1 from generate_series(1, $2::int) n",
    [await hashing.hash(PASSWORD), USERS],
  );
});
afterAll(() => sso.close());

test('100 users log in crosswise, and each ends as himself', async () => {
  const waiting = Array.from({ length: USERS }, (_, number) => number + 1);
  const wrong: string[] = [];
  const work = async (): Promise<void> => {
    for (let number = waiting.pop(); number !== undefined; number = waiting.pop()) {
      const browser = new Browser(sso.url);
      const credential = { username: `user${number}`, password: PASSWORD };
      const login = await browser.login('/login', credential);
      if (login.status !== 302) wrong.push(login.body);
      const ticket = ticketIn(await browser.get(loginPath(APP)));
      const { body } = await validate(sso, '/serviceValidate', { service: APP, ticket });
      if (!body.includes(`<cas:user>user${number}</cas:user>`)) wrong.push(body);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENT }, work));
  expect(wrong).toEqual([]);
});
