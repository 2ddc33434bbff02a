// When a token is renewed, and when it is got anew. The clock is the tests'; short leases of a real Vault are next proxy.
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { configureLogging } from '@tessera/logging';
import { leaseEvents } from './lease-events.js';
import { LeasedToken } from './leased-token.js';
import type { Login, TokenCalls } from './tokens.js';
import { unavailable, VaultRefusedError } from './vault-error.js';

const SECOND = 1_000;
const HOUR = 3_600_000;
const AWAY = () => Promise.reject(unavailable(new Error('away')));
const REFUSED = () => Promise.reject(new VaultRefusedError('auth', 'permission denied'));

let logins = 0;
let renewals = 0;
let grant: Omit<Login, 'token'>;
let onLogin: (() => Promise<never>) | undefined;
let onRenewal: ((count: number) => Promise<Login>) | undefined;
let tokens: LeasedToken;

const vault: TokenCalls = {
  logIn: () => Promise.reject(new Error('asked through the login alone')),
  lookUp: () => Promise.reject(new Error('asked through the login alone')),
  renew: async (token) => {
    renewals += 1;
    return onRenewal ? onRenewal(renewals) : { ...grant, token };
  },
};

beforeEach(() => {
  configureLogging({ application: 'test', levels: { root: 'error' } });
  jest.useFakeTimers();
  [logins, renewals, onLogin, onRenewal] = [0, 0, undefined, undefined];
  grant = { lifetime: 60 * SECOND, isRenewable: true };
  tokens = new LeasedToken(async () => {
    logins += 1;
    return onLogin ? onLogin() : { ...grant, token: `token ${logins}` };
  });
});
afterEach(() => {
  tokens.close();
  jest.restoreAllMocks();
  jest.useRealTimers();
});

const ask = () => tokens.token(vault);
const after = (milliseconds: number) => jest.advanceTimersByTimeAsync(milliseconds);

describe('a token that nobody asks for', () => {
  test('is renewed before it expires, again and again', async () => {
    await ask();
    await after(39 * SECOND);
    expect(renewals).toBe(0);
    await after(HOUR);
    expect({ logins, renewals }).toEqual({
      logins: 1,
      renewals: Math.floor((HOUR / SECOND + 39) / 40),
    });
  });

  test('publishes logins, renewals and failures, and the time that is left', async () => {
    const events: unknown[] = [];
    const end = leaseEvents.subscribe(({ type, timeLeft }) => events.push([type, timeLeft]));
    await ask();
    await ask();
    await after(41 * SECOND);
    onRenewal = () => Promise.reject(new Error('no route'));
    await after(40 * SECOND);
    tokens.close();
    end();
    expect(events.slice(0, 4)).toEqual([
      ['logged-in', 60 * SECOND],
      ['used', 60 * SECOND],
      ['renewed', 60 * SECOND],
      ['failed', 20 * SECOND],
    ]);
    expect(events.at(-1)).toEqual(['closed', expect.any(Number)]);
  });

  test('is requested again when it cannot be renewed', async () => {
    grant = { ...grant, isRenewable: false };
    await ask();
    await after(41 * SECOND);
    expect({ logins, renewals, token: await ask() }).toEqual({
      logins: 2,
      renewals: 0,
      token: 'token 2',
    });
  });

  test('is requested again at the end of all renewals', async () => {
    await ask();
    onRenewal = () =>
      Promise.resolve({ token: 'token 1', lifetime: 29 * SECOND, isRenewable: true });
    await after(41 * SECOND);
    expect({ logins, renewals, token: await ask() }).toEqual({
      logins: 2,
      renewals: 1,
      token: 'token 2',
    });
  });

  test('is requested again when its renewal is refused', async () => {
    await ask();
    onRenewal = REFUSED;
    await after(41 * SECOND);
    expect(await ask()).toBe('token 2');
  });

  test('of a year, which no timer holds, is renewed after two thirds of it', async () => {
    const timers = jest.spyOn(globalThis, 'setTimeout');
    grant = { ...grant, lifetime: 8760 * HOUR };
    await ask();
    await after(5839 * HOUR);
    expect(renewals).toBe(0);
    await after(2 * HOUR);
    expect({ logins, renewals }).toEqual({ logins: 1, renewals: 1 });
    const pauses = timers.mock.calls.map(([, pause]) => pause ?? 0);
    expect(Math.max(...pauses)).toBeLessThan(2 ** 31);
    expect(pauses.length).toBeLessThan(300);
  });

  test('of a lease shorter than sense is renewed once a second at most', async () => {
    grant = { ...grant, lifetime: 1 };
    onRenewal = REFUSED;
    await ask();
    await after(10 * SECOND);
    expect(logins).toBeLessThanOrEqual(11);
  });

  test('that does not expire is left alone', async () => {
    grant = { lifetime: Infinity, isRenewable: true };
    await ask();
    expect(jest.getTimerCount()).toBe(0);
  });

  test('is renewed no more once it is closed, though it be under way', async () => {
    const asked = ask();
    tokens.close();
    await asked;
    expect(jest.getTimerCount()).toBe(0);
  });
});

describe('while Vault is unavailable', () => {
  test('a token that still holds is used, and its renewal tried again', async () => {
    await ask();
    onRenewal = (count) => (count < 3 ? AWAY() : Promise.resolve({ ...grant, token: 'token 1' }));
    await after(41 * SECOND);
    expect({ renewals, token: await ask() }).toEqual({ renewals: 1, token: 'token 1' });
    await after(60 * SECOND);
    expect({ logins, renewals: renewals >= 3, token: await ask() }).toEqual({
      logins: 1,
      renewals: true,
      token: 'token 1',
    });
  });

  test('a token that still holds is used where no other is to be had', async () => {
    grant = { ...grant, isRenewable: false };
    await ask();
    onLogin = REFUSED;
    await after(50 * SECOND);
    expect(await ask()).toBe('token 1');
    expect(logins).toBeLessThan(8);
  });

  test('a token that ran out is no token, until there is another', async () => {
    await ask();
    [onRenewal, onLogin] = [AWAY, AWAY];
    await after(61 * SECOND);
    await expect(ask()).rejects.toMatchObject({ code: 'VAULT_UNAVAILABLE' });
    onLogin = undefined;
    expect(await ask()).toMatch(/^token \d+$/);
  });
});

test('simultaneous callers share one login, and its failure', async () => {
  onLogin = AWAY;
  const failed = await Promise.allSettled([ask(), ask(), ask()]);
  expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  expect(logins).toBe(1);
  onLogin = undefined;
  expect(await Promise.all([ask(), ask(), ask()])).toEqual(['token 2', 'token 2', 'token 2']);
});

test('a refused token is requested again, unless it is new', async () => {
  await ask();
  tokens.refused('token 1');
  expect(await ask()).toBe('token 1');
  await after(6 * SECOND);
  tokens.refused('another');
  expect(await ask()).toBe('token 1');
  tokens.refused('token 1');
  expect(await ask()).toBe('token 2');
});
