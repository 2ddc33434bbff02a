// Who is let in by the management token, and that wrong ones are counted like failed logins.
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { configureLogging } from '@tessera/logging';
import { Secret } from '@tessera/settings';
import { AuthenticationThrottle, MemoryFailures } from '@tessera/throttling';
import { SsoSettings } from '../settings.js';
import { ManagementCallers } from './management-callers.js';

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
  throttle = new AuthenticationThrottle(new MemoryFailures(), 'rest', () => POLICY);
  const write = (line: string) => lines.push(line);
  configureLogging({ application: 'test', levels: { throttling: 'error' }, write });
});

afterAll(() => configureLogging({ application: 'test', levels: { root: 'warn' } }));

function admit(headers: IncomingHttpHeaders): Promise<string> {
  const addresses = { of: () => ADDRESS };
  const callers = new ManagementCallers({ current: settings }, authenticator, addresses, {
    at: () => throttle,
  });
  return callers.admit({ headers } as IncomingMessage);
}

function withToken(token: string): Promise<string> {
  return admit({ authorization: `Bearer ${token}` });
}

/** Of a user who logs in from the same address. */
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
    ['of who sends nothing', {}, {}],
    ['of the right token', { authorization: `Bearer ${TOKEN}` }, {}],
    ['of a password nobody asks for', { authorization: `Basic ${btoa('ann:wrong')}` }, {}],
    ['of a token nobody asks for', { authorization: 'Bearer x' }, { ...ROLE, token: undefined }],
  ])('%s', async (_rule, headers, management) => {
    Object.assign(settings.management, management);
    for (let time = 0; time < 3; time += 1) await admit(headers).catch(() => undefined);
    expect(await isBlocked()).toBe(false);
  });
});

describe('the right token', () => {
  test('lets in who has it, whoever failed from the address, and the log says by what', async () => {
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

  test('that was changed counts at once, and the old one no longer', async () => {
    await withToken(TOKEN);
    settings.management.token = new Secret(`${TOKEN}-new`);
    await expect(withToken(TOKEN)).rejects.toMatchObject({ status: 401 });
    expect(await withToken(`${TOKEN}-new`)).toBe(ADDRESS);
  });
});
