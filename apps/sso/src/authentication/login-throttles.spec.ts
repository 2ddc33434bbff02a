import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/database.js';
import { RecordedEvents } from '../../../../test/support/recorded-events.js';
import { ANY_PRINCIPAL, credentialOf } from './authentication-handler.conformance.js';
import type { AuthenticationHandler, Credential, Verdict } from './authentication-handler.js';
import { Authenticator } from './authenticator.js';
import { LoginThrottles, type ThrottlePolicies } from './login-throttles.js';

const POLICIES: ThrottlePolicies = {
  login: undefined,
  rest: { threshold: 2, addressThreshold: 3, window: 60_000 },
};
const OFF: ThrottlePolicies = { login: undefined, rest: undefined };
const CERTIFICATE: Credential = {
  type: 'X509CertificateCredential',
  certificate: new Uint8Array([1, 2, 3]),
  source: 'form',
  presentedBy: '192.0.2.7',
};

let database: TestDatabase;
let calls: number;
let trail: RecordedEvents;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  await database.dataSource.query('truncate authentication_failure');
  calls = 0;
  trail = new RecordedEvents();
});

/** Accepts the password `Mellon`, and throws for `away`. */
const handler: AuthenticationHandler = {
  name: 'a',
  supports: (_credential): _credential is Credential => true,
  authenticate(credential): Promise<Verdict> {
    calls += 1;
    const password = 'password' in credential ? credential.password : '';
    if (password === 'away') return Promise.reject(new Error('the store is unavailable'));
    return Promise.resolve(
      password === 'Mellon'
        ? { accepted: { id: 'alice', attributes: {} } }
        : { refused: 'wrong password' },
    );
  },
};

function opened(policies: ThrottlePolicies) {
  const throttles = LoginThrottles.open(database.dataSource, policies);
  const authenticator = new Authenticator([handler], throttles, ANY_PRINCIPAL, trail);
  const attempt = (credential: Credential, clientAddress = '192.0.2.7') =>
    authenticator.authenticate(credential, { clientAddress, entryPoint: 'rest' });
  return {
    login: (password: string, name = 'alice', address?: string) =>
      attempt(credentialOf(name, password), address),
    attempt,
    close: () => authenticator.onModuleDestroy(),
  };
}

async function counted(): Promise<number> {
  const [row] = await database.dataSource.query<readonly { count: number }[]>(
    'select coalesce(sum(failures + reserved), 0)::int as count from authentication_failure',
  );
  return row?.count ?? -1;
}

const THROTTLED = { code: 'AUTHENTICATION_THROTTLED', retryAfter: 60 };

describe('an authenticator with throttling', () => {
  test('calls no handler for a blocked name, not even with a valid credential', async () => {
    const { login, close } = opened(POLICIES);
    await login('wrong');
    await login('wrong');
    await expect(login('Mellon')).rejects.toMatchObject(THROTTLED);
    expect(calls).toBe(2);
    expect(trail.events.map(({ reason }) => reason)).toEqual([
      'CREDENTIALS_REFUSED',
      'CREDENTIALS_REFUSED',
      'AUTHENTICATION_THROTTLED',
    ]);
    expect(await login('Mellon', 'alice', '192.0.2.8')).toBeDefined();
    await close();
  });

  test('blocks an address whatever kind its credentials are of', async () => {
    const { attempt, login, close } = opened(POLICIES);
    await attempt(CERTIFICATE);
    await attempt({ ...CERTIFICATE, certificate: new Uint8Array([4]) });
    await login('wrong');
    await expect(attempt(CERTIFICATE)).rejects.toMatchObject(THROTTLED);
    await expect(login('Mellon', 'bob')).rejects.toMatchObject(THROTTLED);
    expect(calls).toBe(3);
    await close();
  });

  test('counts one failure for a login that several handlers refuse', async () => {
    const throttles = LoginThrottles.open(database.dataSource, POLICIES);
    const authenticator = new Authenticator([handler, handler], throttles, ANY_PRINCIPAL, trail);
    const context = { clientAddress: '192.0.2.7', entryPoint: 'rest' } as const;
    await authenticator.authenticate(credentialOf('alice', 'wrong'), context);
    expect(
      await authenticator.authenticate(credentialOf('alice', 'Mellon'), context),
    ).toBeDefined();
    await authenticator.onModuleDestroy();
  });

  test.each([
    ['accepted', 'Mellon'],
    ['undecided', 'away'],
  ])('counts nothing for a login that is %s', async (_what, password) => {
    const { login, close } = opened(POLICIES);
    for (let turn = 0; turn < 5; turn += 1) await login(password).catch(() => undefined);
    expect(calls).toBe(5);
    expect(await counted()).toBe(0);
    await close();
  });
});

describe('an authenticator without throttling', () => {
  test('neither reads nor writes', async () => {
    const { login, close } = opened(OFF);
    for (let turn = 0; turn < 20; turn += 1) await login('wrong');
    expect(await login('Mellon')).toBeDefined();
    expect(await counted()).toBe(0);
    await close();
  });
});
