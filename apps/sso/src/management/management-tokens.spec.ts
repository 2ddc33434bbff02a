import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { configureLogging } from '@tessera/logging';
import { Secret } from '@tessera/config';
import { AuthenticationThrottle, MemoryFailureStore } from '@tessera/throttling';
import { SsoSettings } from '../settings/sso-settings.js';
import { ManagementAccess } from './management-access.js';

const TOKEN = 'token-0123456789abcdef';
const ADDRESS = '192.0.2.1';
const ROLE = { roleName: 'memberOf', roleValue: 'operator' };
const POLICY = { threshold: 2, addressThreshold: 2, window: 60_000 };

let lines: string[];
let settings: SsoSettings;
let throttle: AuthenticationThrottle;

const authenticator = { authenticate: () => Promise.resolve(undefined) };

beforeEach(() => {
  lines = [];
  settings = new SsoSettings();
  settings.management.token = new Secret(TOKEN);
  throttle = new AuthenticationThrottle(new MemoryFailureStore(), 'rest', () => POLICY);
  const write = (line: string) => lines.push(line);
  configureLogging({ application: 'test', levels: { throttling: 'error' }, write });
});

afterAll(() => configureLogging({ application: 'test', levels: { root: 'warn' } }));

function admit(headers: IncomingHttpHeaders): Promise<string> {
  const addresses = { of: () => ADDRESS };
  const access = new ManagementAccess(settings, authenticator, addresses, {
    forEntryPoint: () => throttle,
  });
  return access.admit({ headers } as IncomingMessage);
}

function withToken(token: string): Promise<string> {
  return admit({ authorization: `Bearer ${token}` });
}

/** Whether a user who logs in from the same address is blocked. */
async function isBlocked(name = 'ann'): Promise<boolean> {
  const login = () => Promise.resolve();
  const isFailure = () => false;
  return throttle.guard({ address: ADDRESS, name }, login, isFailure).then(
    () => false,
    () => true,
  );
}

async function fail(times: number): Promise<void> {
  for (let time = 0; time < times; time += 1) {
    await expect(withToken(`${TOKEN}${time}`)).rejects.toMatchObject({ status: 401 });
  }
}

describe('a wrong token', () => {
  test('counts as a failed login from its address', async () => {
    await fail(1);
    expect(await isBlocked()).toBe(false);
    await fail(1);
    expect(await isBlocked()).toBe(true);
  });

  test.each([
    ['documented', 429],
    ['apereo', 423],
  ] as const)(
    'too many are throttled, without a line: in dialect %s %d',
    async (dialect, status) => {
      settings.dialect = dialect;
      await fail(POLICY.threshold);
      lines = [];
      await expect(withToken(`${TOKEN}x`)).rejects.toMatchObject({
        code: 'AUTHENTICATION_THROTTLED',
        status,
        message: 'too many failed logins: try again later',
        headers: { 'Retry-After': expect.stringMatching(/^\d+$/) },
      });
      expect(lines).toEqual([]);
    },
  );
});

describe('nothing is counted', () => {
  test.each<[string, IncomingHttpHeaders, object]>([
    ['without credentials', {}, {}],
    ['for the right token', { authorization: `Bearer ${TOKEN}` }, {}],
    [
      'for a password without a configured role',
      { authorization: `Basic ${btoa('ann:wrong')}` },
      {},
    ],
    [
      'for a token without a configured one',
      { authorization: 'Bearer x' },
      { ...ROLE, token: undefined },
    ],
  ])('%s', async (_rule, headers, management) => {
    Object.assign(settings.management, management);
    for (let time = 0; time < 3; time += 1) await admit(headers).catch(() => undefined);
    expect(await isBlocked()).toBe(false);
  });
});

describe('the right token', () => {
  test('is accepted from a blocked address, and logged', async () => {
    await fail(POLICY.threshold);
    lines = [];
    expect(await withToken(TOKEN)).toBe(ADDRESS);
    expect(JSON.parse(lines.join(''))).toMatchObject({
      logger: 'management',
      msg: 'a caller was admitted',
      by: 'token',
      clientAddress: ADDRESS,
    });
    expect(lines.join('')).not.toContain(TOKEN);
  });

  test('replaces the old one at once when it is changed', async () => {
    await withToken(TOKEN);
    settings.management.token = new Secret(`${TOKEN}-new`);
    await expect(withToken(TOKEN)).rejects.toMatchObject({ status: 401 });
    expect(await withToken(`${TOKEN}-new`)).toBe(ADDRESS);
  });
});
