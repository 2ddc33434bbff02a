import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { AccountStore, UserAccount, type AccountChange, type NewAccount } from '@tessera/accounts';
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
  store = AccountStore.of(database.dataSource);
  handler = new AccountsHandler(store, hashing);
  hashOfMellon = await hashing.hash('Mellon');
  const { name, password, attributes } = CONFORMANCE_USER;
  await store.add({ name, attributes, passwordHash: await hashing.hash(password) });
});
afterAll(() => database.drop());

let added = 0;
/** Adds an account with the password Mellon. */
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

  test('does not reveal a disabled or expired account to a wrong password', async () => {
    const name = await account({ disabled: true, expiresAt: past() });
    expect(await handler.authenticate(credentialOf(name, 'wrong'))).toEqual({
      refused: 'wrong password',
    });
  });

  test('accepts an account that expires later', async () => {
    const name = await account({ expiresAt: new Date(Date.now() + HOUR) });
    expect(await handler.authenticate(credentialOf(name, 'Mellon'))).toEqual({
      accepted: { id: name, attributes: {} },
      passwordChangedAt: expect.any(Date),
    });
  });

  test('refuses an account that is removed while its password is checked', async () => {
    const name = await account();
    const removing = AccountStore.of(database.dataSource);
    removing.find = () => Promise.resolve(undefined);
    const work = new AccountsHandler(removing, hashing).authenticate(credentialOf(name, 'Mellon'));
    expect(await work).toEqual({ refused: 'unknown user' });
  });

  test.each<[string, AccountChange, string]>([
    ['disabled', { disabled: true }, 'account disabled'],
    ['made to expire', { expiresAt: past() }, 'account expired'],
  ])('refuses an account that is %s while its password is checked', async (_, change, refused) => {
    const name = await account();
    const changing = AccountStore.of(database.dataSource);
    const login = changing.login.bind(changing);
    changing.login = async (...known) => {
      const found = await login(...known);
      await changing.change(name, change);
      return found;
    };
    const work = new AccountsHandler(changing, hashing).authenticate(credentialOf(name, 'Mellon'));
    expect(await work).toEqual({ refused });
  });
});

describe('a hash made with other parameters', () => {
  const stronger = new PasswordHashing({ ...CHEAP, iterations: 2 });
  const hashOf = async (name: string) => (await store.find(name))?.passwordHash ?? '';

  test('is renewed in the background by a login', async () => {
    const name = await account();
    const renewing = new AccountsHandler(store, stronger);
    expect(await renewing.authenticate(credentialOf(name, 'Mellon'))).toHaveProperty('accepted');
    await renewing.close();
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
    await renewing.close();
    expect(await hashOf(name)).toBe(hashOfMellon);
  });

  test('that cannot be renewed does not fail the login', async () => {
    const name = await account();
    const full = new PasswordHashing({ ...CHEAP, iterations: 2 });
    full.hash = () => Promise.reject(new Error('busy'));
    const renewing = new AccountsHandler(store, full);
    expect(await renewing.authenticate(credentialOf(name, 'Mellon'))).toHaveProperty('accepted');
    await renewing.close();
    expect(await hashOf(name)).toBe(hashOfMellon);
  });

  test('does not replace a password that was changed during the renewal', async () => {
    const name = await account();
    const slow = new PasswordHashing({ ...CHEAP, iterations: 2 });
    slow.hash = async (password) => {
      await store.setPassword(name, 'changed');
      return stronger.hash(password);
    };
    const renewing = new AccountsHandler(store, slow);
    await renewing.authenticate(credentialOf(name, 'Mellon'));
    await renewing.close();
    expect(await hashOf(name)).toBe('changed');
  });
});

test.each([
  ['Mellon', undefined],
  ['another', 'wrong password'],
])('a hash of %s that replaces the hash during the check is checked too', async (now, refused) => {
  const name = await account();
  const slow = new PasswordHashing(CHEAP);
  const replacement = await slow.hash(now);
  const verify = slow.verify.bind(slow);
  slow.verify = async (...check) => {
    const isPassword = await verify(...check);
    slow.verify = verify;
    await store.setPassword(name, replacement);
    return isPassword;
  };
  const checking = new AccountsHandler(store, slow);
  const verdict = await checking.authenticate(credentialOf(name, 'Mellon'));
  expect(verdict.refused).toBe(refused);
});

// Hashes of p\u00e4sswort, made by the programs that libs/crypto/src/foreign-hash.spec.ts lists.
describe.each([
  ['argon2i', '$argon2i$v=19$m=8,t=1,p=1$c2FsdHNhbHQ$lR8L4FzckXWgbEwcXjERS79r4wQZ1U+3LxhynFkNAeo'],
  [
    'argon2id in the form of Django',
    'argon2$argon2id$v=19$m=8,t=1,p=1$c2FsdHNhbHQ$mYZ57wk9vZ+QHLQiwoAYq2bsPUF8feZsSYdb4zDi5YQ',
  ],
  ['bcrypt', '$2y$04$abcdefghijklmnopqrstuuWPyT3zuK3JxmyXx5UFcdTiysSm3GF5K'],
  ['PBKDF2 of Django', 'pbkdf2_sha256$1000$seasalt$38iWi9HiIFaANepJh+2JorvZ/YXdL1J0K/Fup05/Gw8='],
  [
    'PBKDF2 of Keycloak',
    '$pbkdf2-sha256$i=1000$AAECAwQFBgcICQoLDA0ODw==$Sxw9FElEGsZqjiw0VjBWrsF1Y10VlNa/GvOZkPRfRdwvCUX2zcujpF9kxSbZRdw9EwWuF/fubvVMx+HDkIQTDA==',
  ],
  [
    'PBKDF2 of OpenLDAP',
    '{PBKDF2-SHA256}1000$..8sAwQFBgcICQoLDA0ODw$2EgcpbW4mtEiiBlFSuVNWbS.1Ugzj83O42boJJHddow',
  ],
  [
    'scrypt',
    '$scrypt$ln=1,r=8,p=1$AAECAwQFBgcICQoLDA0ODw$gJbyGdOxetZMEQ9Tw1BT4IdbP2pN2YIKSKtVF4eHsKQ1y949FfUpPEaOHz/0QJKd9DZQKCHFdT7Yo0R0lbaZhg',
  ],
  [
    'SHA-512-crypt of a directory',
    '{CRYPT}$6$rounds=1000$$exANFdSoqY5yDVPwp4W14qEcXbWHi.z2JUBNrJUENyWX9y1kPdep2Iax4egskWNtdke2qeT2peNvbhMObRong/',
  ],
  ['salted SHA', '{SSHA}50P9mkUNKXOBVdEsypbvTzqenXRzYWx0c2FsdA=='],
])('an account migrated with %s', (_family, passwordHash) => {
  const PASSWORD = 'p\u00e4sswort';
  const hashOf = async (name: string) => (await store.find(name))?.passwordHash ?? '';

  test('logs in, and from then on has an argon2id hash of the current parameters', async () => {
    const name = await account({ passwordHash });
    const credential = credentialOf(name, PASSWORD);
    expect(await handler.authenticate(credential)).toHaveProperty('accepted.id', name);
    await handler.close();
    expect(hashing.needsRehash(await hashOf(name))).toBe(false);
    expect(await handler.authenticate(credential)).toHaveProperty('accepted.id', name);
  });

  test.each([
    ['a wrong password', 'Mellon', {}],
    ['a disabled account', PASSWORD, { disabled: true }],
  ])(
    'is refused for %s after argon2 of the current parameters on top',
    async (_why, password, facts) => {
      const name = await account({ passwordHash, ...facts });
      const before = hashing.verifications;
      expect(await handler.authenticate(credentialOf(name, password))).toHaveProperty('refused');
      expect(hashing.verifications).toBe(before + 2);
      await handler.close();
      expect(await hashOf(name)).toBe(passwordHash);
    },
  );

  test('keeps a password that is changed while its hash is renewed', async () => {
    const name = await account({ passwordHash });
    const slow = new PasswordHashing(CHEAP);
    slow.hash = async (password) => {
      await store.setPassword(name, 'changed');
      return hashing.hash(password);
    };
    const renewing = new AccountsHandler(store, slow);
    await renewing.authenticate(credentialOf(name, PASSWORD));
    await renewing.close();
    expect(await hashOf(name)).toBe('changed');
  });
});

describe('errors are not refusals', () => {
  test('a connection that is gone rejects', async () => {
    const options = { url: database.url, applicationName: 'test', entities: [UserAccount] };
    const dataSource = await connect(options);
    await dataSource.destroy();
    const gone = new AccountsHandler(AccountStore.of(dataSource), hashing);
    await expect(gone.authenticate(credentialOf('a', 'b'))).rejects.toThrow();
  });

  test.each([
    ['of an unknown user', () => 'nobody'],
    ['of a user', () => account()],
  ])('a full queue of hashes rejects a login %s', async (_whose, user) => {
    const narrow = new PasswordHashing({ ...CHEAP, maxRunning: 1, maxWaiting: 0 });
    const name = await user();
    const found = await store.login(name, narrow.decoyHash);
    const known = AccountStore.of(database.dataSource);
    known.login = () => Promise.resolve(found);
    const busy = narrow.hash('x');
    const work = new AccountsHandler(known, narrow).authenticate(credentialOf(name, 'Mellon'));
    await expect(work).rejects.toMatchObject({ code: 'PASSWORD_HASHING_BUSY' });
    await busy;
  });
});
