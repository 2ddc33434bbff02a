// Passwords of accounts that expire, and that their users change.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { AccountStore, type NewAccount, UserAccount } from '@tessera/accounts';
import { PasswordHashing } from '@tessera/crypto';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/database.js';
import { AccountsHandler } from './accounts-handler.js';
import { credentialOf } from './authentication-handler.conformance.js';

const HOUR = 3_600_000;
const hashing = new PasswordHashing({ memory: 8, iterations: 1, parallelism: 1 });

let database: TestDatabase;
let store: AccountStore;
let passwordHash: string;

beforeAll(async () => {
  database = await createTestDatabase({ entities: [UserAccount] });
  store = AccountStore.of(database.dataSource);
  passwordHash = await hashing.hash('Mellon');
});
afterAll(() => database.drop());

let count = 0;
/** Adds an account with the password Mellon. */
async function added(facts: Partial<NewAccount> = {}): Promise<string> {
  const name = `user${++count}`;
  await store.add({ name, passwordHash, ...facts });
  return name;
}

describe('passwords that expire', () => {
  const DAY = 24 * HOUR;
  const CHANGE = { credential: credentialOf('', 'Mellon'), newPassword: 'another one' };
  const aged = async (days: number): Promise<string> => {
    const name = await added();
    await database.dataSource.query(
      `update user_account set password_changed_at = now() - $2 * interval '1 day' where name = $1`,
      [name, days],
    );
    return name;
  };
  const expiring = (history?: number) =>
    new AccountsHandler(store, hashing, { maxAge: 30 * DAY, history });

  test('are accepted with the time of their end before it', async () => {
    const name = await aged(20);
    const { passwordExpiry } = (await expiring().authenticate(credentialOf(name, 'Mellon'))) as {
      passwordExpiry?: { expiresAt: Date };
    };
    expect(passwordExpiry).toMatchObject({ mayChange: false });
    const left = (passwordExpiry?.expiresAt.getTime() ?? 0) - Date.now();
    expect(Math.abs(left - 10 * DAY)).toBeLessThan(HOUR);
  });

  test('are refused as such from then on, but never a wrong one', async () => {
    const name = await aged(31);
    const login = (password: string) => expiring().authenticate(credentialOf(name, password));
    expect(await login('Mellon')).toEqual({ refused: 'password expired' });
    expect(await login('wrong')).toEqual({ refused: 'wrong password' });
    expect(
      await new AccountsHandler(store, hashing).authenticate(credentialOf(name, 'Mellon')),
    ).toHaveProperty('accepted');
  });

  test('can be changed by their users, and are then as new', async () => {
    const name = await aged(31);
    const changing = expiring(0);
    const credential = credentialOf(name, 'Mellon');
    expect(await changing.changePassword?.({ ...CHANGE, credential })).toEqual({
      outcome: 'changed',
    });
    expect(await changing.authenticate(credentialOf(name, 'another one'))).toMatchObject({
      accepted: { id: name },
      passwordExpiry: { mayChange: true },
    });
  });

  test.each([
    ['a disabled account', { disabled: true }, 'account disabled'],
    ['an expired account', { expiresAt: new Date(0) }, 'account expired'],
  ])('are not changed for %s', async (_what, facts, reason) => {
    const credential = credentialOf(await added(facts), 'Mellon');
    expect(await expiring(0).changePassword?.({ ...CHANGE, credential })).toEqual({
      outcome: 'credential refused',
      reason,
    });
  });

  test('are not changed where no history is given', () => {
    expect(expiring().changePassword).toBeUndefined();
  });
});
