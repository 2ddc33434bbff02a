import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createTestDatabase } from '../../../test/support/database.js';
import { AccountStore, type NewAccount } from './account-store.js';
import { UserAccount } from './user-account.entity.js';

const HOUR = 3_600_000;
const alice: NewAccount = { name: 'alice', passwordHash: 'hash of alice' };

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let store: AccountStore;

beforeAll(async () => {
  database = await createTestDatabase({ entities: [UserAccount] });
  store = AccountStore.of(database.dataSource);
});
afterAll(() => database.drop());
beforeEach(() => database.dataSource.query('delete from user_account'));

describe('what a login needs', () => {
  const past = new Date(Date.now() - 1);
  test.each<[string, string, Partial<NewAccount>, string]>([
    ['of a name behind it', 'bob', { disabled: true }, 'unknown'],
    ['of a name before it', 'alic', { disabled: true }, 'unknown'],
    ['of the name in another case', 'Alice', { disabled: true }, 'unknown'],
    ['of a name that none can have', 'al\0ice', {}, 'unknown'],
    ['of the empty name', '', {}, 'unknown'],
    ['that is disabled', 'alice', { disabled: true }, 'disabled'],
    ['that has expired', 'alice', { expiresAt: past }, 'expired'],
    ['that is disabled and has expired', 'alice', { disabled: true, expiresAt: past }, 'disabled'],
    ['that expires later', 'alice', { expiresAt: new Date(Date.now() + HOUR) }, 'active'],
    ['that never expires', 'alice', {}, 'active'],
  ])('of an account %s', async (_what, name, facts, state) => {
    await store.add({ ...alice, ...facts });
    expect(await store.state(name)).toBe(state);
    const passwordHash = state === 'unknown' ? 'decoy' : alice.passwordHash;
    expect(await store.login(name, 'decoy')).toEqual({ state, passwordHash });
  });

  test('takes a name in any Unicode form', async () => {
    await store.add({ ...alice, name: 'J\u00fcrgen', disabled: true });
    expect(await store.state('Ju\u0308rgen')).toBe('disabled');
  });
});
