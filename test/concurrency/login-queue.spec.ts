// Logins wait for the check of their password in turns, by address.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { PasswordHashing } from '@tessera/crypto';
import { http } from '../support/http.js';
import { startSso, type Sso } from '../support/sso.js';

const ARGON2 = { memory: 4_096, iterations: 1, parallelism: 1 };
const USER = { username: 'ann', password: 'Mellon' };
const FLOOD = 100;

let sso: Sso;

beforeAll(async () => {
  sso = await startSso({
    settings: [
      '--sso.authentication.handlers=accounts',
      `--sso.authentication.accounts.argon2.memory=${ARGON2.memory}`,
      '--sso.authentication.accounts.argon2.iterations=1',
      '--sso.proxies.trusted=127.0.0.1',
    ],
  });
  await sso.database.dataSource.query(
    'insert into user_account (name, password_hash) values ($1, $2)',
    [USER.username, await new PasswordHashing(ARGON2).hash(USER.password)],
  );
});
afterAll(() => sso.close());

async function login(form: typeof USER, address: string): Promise<number> {
  const headers = { 'x-forwarded-for': address };
  return (await http('POST', sso.url, '/v1/tickets', { form, headers })).status;
}

test('a flood of logins from one address does not delay those of another', async () => {
  expect(await login(USER, '192.0.2.2')).toBe(201);
  let refused = 0;
  const flood = Array.from({ length: FLOOD }, async (_, number) => {
    const form = { username: `user${number}`, password: 'wrong' };
    // Addresses of one IPv6 network are one.
    if ((await login(form, `2001:db8::${number}`)) < 500) refused += 1;
  });
  await Promise.race(flood);
  expect(await login(USER, '192.0.2.1')).toBe(201);
  // In the order of arrival it would be the last.
  expect(refused).toBeLessThan(FLOOD * 0.9);
  await Promise.all(flood);
});
