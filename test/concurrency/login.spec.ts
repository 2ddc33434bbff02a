// Many people log in at once: each ends as himself.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Browser, loginPath, ticketIn } from '../support/browser.js';
import { APP, startSso, type Sso } from '../support/sso.js';
import { validate } from '../support/validation.js';

const USERS = 1_000;
/** Logins under way at a time: as many as the database has connections, so that none waits too long. */
const CONCURRENT = 10;

let sso: Sso;

beforeAll(async () => {
  const users = Array.from({ length: USERS }, (_, number) => `user${number}::secret${number}`);
  sso = await startSso({
    files: { 'sso.yml': JSON.stringify({ 'sso.authentication.static.users': users }) },
    settings: ['--sso.rate-limit.login-form=0'],
  });
});
afterAll(() => sso.close());

test('1,000 users log in crosswise, and each ends as himself', async () => {
  const waiting = Array.from({ length: USERS }, (_, number) => number);
  const wrong: string[] = [];
  const work = async (): Promise<void> => {
    for (let number = waiting.pop(); number !== undefined; number = waiting.pop()) {
      const browser = new Browser(sso.url);
      const credential = { username: `user${number}`, password: `secret${number}` };
      const login = await browser.login('/login', credential);
      if (login.status !== 302) wrong.push(login.body);
      const ticket = ticketIn(await browser.get(loginPath(APP)));
      const { body } = await validate(sso, '/serviceValidate', { service: APP, ticket });
      if (!body.includes(`<cas:user>user${number}</cas:user>`)) wrong.push(body);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENT }, work));
  expect(wrong).toEqual([]);
}, 180_000);
