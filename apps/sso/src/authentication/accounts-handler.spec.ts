import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { AccountStore, UserAccount, type NewAccount } from '@tessera/accounts';
import { PasswordHashing } from '@tessera/crypto';
import { connect } from '@tessera/database';
import { createTestDatabase } from '../../../../test/support/database.js';
import { AccountsHandler } from './accounts-handler.js';
import {
  CONFORMANCE_USER,
  conformsToAuthenticationHandler,
  credentialOf,
} from './authentication-handler.conformance.js';

const HOUR = 3_600_000;
const CHEAP = { memory: 8, iterations: 1, parallelism: 1 };
const hashing = new PasswordHashing(CHEAP);

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let store: AccountStore;
let handler: AccountsHandler;
let hashOfMellon: string;

beforeAll(async () => {
  database = await createTestDatabase({ entities: [UserAccount] });
  store = new AccountStore(database.dataSource);
  handler = new AccountsHandler(store, hashing);
  hashOfMellon = await hashing.hash('Mellon');
  const { name, password, attributes } = CONFORMANCE_USER;
  await store.add({ name, attributes, passwordHash: await hashing.hash(password) });
});
afterAll(() => database.drop());

let added = 0;
/** An account of its own for each test; its password is Mellon. */
async function account(facts: Partial<NewAccount> = {}): Promise<string> {
  const name = `user${++added}`;
  await store.add({ name, passwordHash: hashOfMellon, ...facts });
  return name;
}

describe('the accounts handler', () => {
  conformsToAuthenticationHandler(() => handler);

  const past = () => new Date(Date.now() - 1);
  test.each<[string, () => Partial<NewAccount>, string]>([
    ['a disabled account', () => ({ disabled: true }), 'account disabled'],
    ['an expired account', () => ({ expiresAt: past() }), 'account expired'],
    ['both', () => ({ disabled: true, expiresAt: past() }), 'account disabled'],
    ['a hash nobody understands', () => ({ passwordHash: 'x' }), 'unusable password hash'],
  ])('refuses %s whose password is right', async (_what, facts, refused) => {
    expect(await handler.authenticate(credentialOf(await account(facts()), 'Mellon'))).toEqual({
      refused,
    });
  });

  test('says nothing of a disabled or expired account to a wrong password', async () => {
    const name = await account({ disabled: true, expiresAt: past() });
    expect(await handler.authenticate(credentialOf(name, 'wrong'))).toEqual({
      refused: 'wrong password',
    });
  });

  test('accepts an account that expires later', async () => {
    const name = await account({ expiresAt: new Date(Date.now() + HOUR) });
    expect(await handler.authenticate(credentialOf(name, 'Mellon'))).toEqual({
      accepted: { id: name, attributes: {} },
    });
  });

  // Time depends on the machine; the work does not.
  test.each<[string, () => Promise<string> | string, string]>([
    ['an unknown user', () => 'nobody', 'Mellon'],
    ['a name that no account can have', () => 'x'.repeat(1000), 'Mellon'],
    ['a wrong password', () => account(), 'wrong'],
    ['the right password', () => account(), 'Mellon'],
    ['a disabled account', () => account({ disabled: true }), 'Mellon'],
    ['a disabled account and a wrong password', () => account({ disabled: true }), 'wrong'],
    ['an expired account', () => account({ expiresAt: past() }), 'Mellon'],
    ['a hash nobody understands', () => account({ passwordHash: 'x' }), 'Mellon'],
  ])('does one argon2 verification for %s', async (_what, user, password) => {
    const name = await user();
    const before = hashing.verifications;
    await handler.authenticate(credentialOf(name, password));
    expect(hashing.verifications).toBe(before + 1);
  });
});

describe('a hash made with other parameters', () => {
  const stronger = new PasswordHashing({ ...CHEAP, iterations: 2 });
  const hashOf = async (name: string) => (await store.find(name))?.passwordHash ?? '';

  test('is renewed by a login, which waits for nothing', async () => {
    const name = await account();
    const renewing = new AccountsHandler(store, stronger);
    expect(await renewing.authenticate(credentialOf(name, 'Mellon'))).toHaveProperty('accepted');
    await renewing.settled();
    expect(stronger.needsRehash(await hashOf(name))).toBe(false);
    expect(await stronger.verify(await hashOf(name), 'Mellon')).toBe(true);
  });

  test.each<[string, string, Partial<NewAccount>]>([
    ['a wrong password', 'wrong', {}],
    ['a disabled account', 'Mellon', { disabled: true }],
  ])('is not renewed by %s', async (_what, password, facts) => {
    const name = await account(facts);
    const renewing = new AccountsHandler(store, stronger);
    await renewing.authenticate(credentialOf(name, password));
    await renewing.settled();
    expect(await hashOf(name)).toBe(hashOfMellon);
  });

  test('that cannot be renewed does not fail the login', async () => {
    const name = await account();
    const full = new PasswordHashing({ ...CHEAP, iterations: 2 });
    full.hash = () => Promise.reject(new Error('busy'));
    const renewing = new AccountsHandler(store, full);
    expect(await renewing.authenticate(credentialOf(name, 'Mellon'))).toHaveProperty('accepted');
    await renewing.settled();
    expect(await hashOf(name)).toBe(hashOfMellon);
  });

  test('does not win over a password that was changed meanwhile', async () => {
    const name = await account();
    const slow = new PasswordHashing({ ...CHEAP, iterations: 2 });
    slow.hash = async (password) => {
      await store.setPassword(name, 'changed');
      return stronger.hash(password);
    };
    const renewing = new AccountsHandler(store, slow);
    await renewing.authenticate(credentialOf(name, 'Mellon'));
    await renewing.settled();
    expect(await hashOf(name)).toBe('changed');
  });
});

describe('faults are not refusals', () => {
  test('a connection that is gone rejects', async () => {
    const options = { url: database.url, applicationName: 'test', entities: [UserAccount] };
    const dataSource = await connect(options);
    await dataSource.destroy();
    const gone = new AccountsHandler(new AccountStore(dataSource), hashing);
    await expect(gone.authenticate(credentialOf('a', 'b'))).rejects.toThrow();
  });

  test.each([
    ['of an unknown user', () => 'nobody'],
    ['of a user', () => account()],
  ])('a full queue of hashes rejects a login %s', async (_whose, user) => {
    const narrow = new PasswordHashing({ ...CHEAP, maxRunning: 1, maxWaiting: 0 });
    const name = await user();
    const found = await store.find(name);
    const known = new AccountStore(database.dataSource);
    known.find = () => Promise.resolve(found);
    const busy = narrow.hash('x');
    const work = new AccountsHandler(known, narrow).authenticate(credentialOf(name, 'Mellon'));
    await expect(work).rejects.toMatchObject({ code: 'PASSWORD_HASHING_BUSY' });
    await busy;
  });
});
