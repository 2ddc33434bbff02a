import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { configureLogging } from '@tessera/logging';
import { Secret } from '@tessera/config';
import { AuthenticationThrottle, MemoryFailureStore, ThrottledError } from '@tessera/throttling';
import type { Authenticator } from '../authentication/authenticator.js';
import { SsoSettings } from '../settings/sso-settings.js';
import { ManagementAccess } from './management-access.js';

const TOKEN = 'token-0123456789abcdef';
const OPERATORS = { roleName: 'memberOf', roleValue: 'operator|admin' };
const REMEDY =
  'set sso.management.token, or sso.management.role-name and sso.management.role-value';

type Groups = Readonly<Record<string, readonly string[]>>;

/** By user name. */
const USERS: Groups = {
  ann: ['staff', 'operator'],
  bob: ['staff', 'operators'],
  eve: [],
  '': ['operator'],
};
/** The same for all users. Some directories accept an empty one. */
const PASSWORDS = ['Mellon:x', ''];

let lines: string[];
let calls: unknown[];
let settings: SsoSettings;

const authenticator: Pick<Authenticator, 'authenticate'> = {
  authenticate(credential, context) {
    calls.push([credential, context]);
    if (credential.type !== 'UsernamePasswordCredential') throw new Error('is no password');
    if (credential.username === 'blocked') return Promise.reject(new ThrottledError(7));
    if (credential.username === 'away') {
      return Promise.reject(new Error('the directory is unavailable'));
    }
    const memberOf = USERS[credential.username];
    if (memberOf === undefined || !PASSWORDS.includes(credential.password)) {
      return Promise.resolve(undefined);
    }
    return Promise.resolve({
      principal: { id: credential.username, attributes: { memberOf } },
      handler: 'static',
      credentialType: credential.type,
      authenticatedAt: new Date(),
    });
  },
};

const throttles = {
  forEntryPoint: () =>
    new AuthenticationThrottle(new MemoryFailureStore(), 'rest', () => undefined),
};

beforeEach(() => {
  lines = [];
  calls = [];
  settings = new SsoSettings();
  configureLogging({ application: 'test', levels: {}, write: (line) => lines.push(line) });
});

afterAll(() => configureLogging({ application: 'test', levels: { root: 'warn' } }));

function admit(headers: IncomingHttpHeaders, remoteAddress = '192.0.2.1'): Promise<string> {
  const addresses = { of: ({ socket }: IncomingMessage) => socket.remoteAddress ?? '' };
  const access = new ManagementAccess(settings, authenticator, addresses, throttles);
  return access.admit({ headers, socket: { remoteAddress } } as IncomingMessage);
}

function basic(credentials: string): IncomingHttpHeaders {
  return { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` };
}

function bearer(token: string): IncomingHttpHeaders {
  return { authorization: `Bearer ${token}` };
}

function manage(token: string | undefined, role: object = {}): void {
  Object.assign(settings.management, { token: token && new Secret(token) }, role);
}

const LOCAL = { host: 'localhost:8080' };

describe('without token and role', () => {
  test.each([
    ['a program of this machine', LOCAL, '127.0.0.1'],
    ['any password', basic('ann:Mellon:x'), '192.0.2.1'],
    ['any token', bearer(TOKEN), '192.0.2.1'],
    ['an empty token', { authorization: 'Bearer ' }, '192.0.2.1'],
  ])('%s is refused outside dev', async (_rule, headers, address) => {
    await expect(admit(headers, address)).rejects.toMatchObject({
      code: 'CALLER_NOT_ALLOWED',
      status: 403,
      message: `nobody may manage this server; ${REMEDY}`,
    });
    expect(calls).toEqual([]);
  });

  test.each([
    ['another machine', LOCAL, '192.0.2.1', 'this is another machine'],
    [
      'a page of another site',
      { ...LOCAL, 'sec-fetch-site': 'cross-site' },
      '127.0.0.1',
      'a page from elsewhere makes this request',
    ],
    [
      'another host name of this machine',
      { host: 'rebound.example.org' },
      '127.0.0.1',
      'this calls the server by another name than localhost',
    ],
    [
      'a proxy',
      { ...LOCAL, 'x-forwarded-for': '127.0.0.1' },
      '127.0.0.1',
      'the header x-forwarded-for says that a proxy passes this on for others',
    ],
  ])('%s is refused in dev', async (_rule, headers, address, reason) => {
    settings.profiles = ['dev'];
    await expect(admit(headers, address)).rejects.toMatchObject({
      code: 'CALLER_NOT_ALLOWED',
      status: 403,
      message: `only programs of its machine may manage this server: ${reason}; ${REMEDY}`,
    });
  });

  test('a program of this machine is admitted in dev', async () => {
    settings.profiles = ['dev'];
    expect(await admit(LOCAL, '127.0.0.1')).toBe('127.0.0.1');
    expect(JSON.parse(lines.join(''))).toMatchObject({ by: 'this machine' });
  });
});

describe.each([
  ['a token', TOKEN, {}, 'Bearer realm="sso"'],
  ['a role', undefined, OPERATORS, 'Basic realm="sso", charset="UTF-8"'],
  ['both', TOKEN, OPERATORS, 'Bearer realm="sso", Basic realm="sso", charset="UTF-8"'],
])('with %s, in dev and on this machine too, is refused', (_what, token, role, challenge) => {
  beforeEach(() => {
    settings.profiles = ['dev'];
    manage(token, role);
  });

  test.each<[string, IncomingHttpHeaders]>([
    ['a request without credentials', {}],
    ['an Authorization header without a scheme', { authorization: TOKEN }],
    ['another scheme', { authorization: `Token ${TOKEN}` }],
    ['two schemes', { authorization: `Bearer ${TOKEN}, Basic YTpi` }],
    ['another token of the same length', bearer(TOKEN.replace('0', '1'))],
    ['another case of the token', bearer(TOKEN.toUpperCase())],
    ['the beginning of the token', bearer(TOKEN.slice(0, -1))],
    ['more than the token', bearer(`${TOKEN}0`)],
    ['the token as a password', basic(`ann:${TOKEN}`)],
    ['the token in place of a name and password', basic(TOKEN)],
    ['an unknown user', basic('nobody:Mellon:x')],
    ['a wrong password', basic('ann:Mellon')],
    ['no password', basic('ann:')],
    ['no user', basic(':Mellon:x')],
    ['neither', basic(':')],
    ['no UTF-8', { authorization: `Basic ${Buffer.from([255, 58, 255]).toString('base64')}` }],
    ['no base64', { authorization: 'Basic ann:Mellon:x' }],
    ['a NUL in the name', basic('ann\0:Mellon:x')],
  ])('%s', async (_rule, headers) => {
    await expect(admit({ ...LOCAL, ...headers }, '127.0.0.1')).rejects.toMatchObject({
      code: 'CALLER_UNKNOWN',
      status: 401,
      message: 'Authentication is required',
      headers: { 'WWW-Authenticate': challenge },
    });
    expect(lines.join('')).not.toMatch(/token-|Mellon|YTpi/);
    expect(lines.join('')).toContain('"clientAddress":"127.0.0.1"');
  });
});

describe('a scheme that is not configured', () => {
  test('admits nobody by a password, nor is one tried', async () => {
    manage(TOKEN);
    await expect(admit(basic('ann:Mellon:x'))).rejects.toMatchObject({ status: 401 });
    expect(calls).toEqual([]);
  });

  test('admits nobody by a token', async () => {
    manage(undefined, OPERATORS);
    await expect(admit(bearer(TOKEN))).rejects.toMatchObject({ status: 401 });
  });
});

describe('a role', () => {
  beforeEach(() => manage(undefined, OPERATORS));

  test.each(['bob', 'eve'])(
    'that %s does not have is refused, and logged with the user',
    async (name) => {
      await expect(admit(basic(`${name}:Mellon:x`))).rejects.toMatchObject({
        code: 'CALLER_NOT_ALLOWED',
        status: 403,
        message: 'Request is not authorized',
        headers: {},
      });
      expect(lines.join('')).toContain(`"principal":"${name}"`);
    },
  );

  test.each([
    ['documented', 429],
    ['apereo', 423],
  ] as const)('is not checked for a throttled user: in dialect %s %d', async (dialect, status) => {
    settings.dialect = dialect;
    await expect(admit(basic('blocked:Mellon:x'))).rejects.toMatchObject({
      code: 'AUTHENTICATION_THROTTLED',
      status,
      message: 'too many failed logins: try again later',
      headers: { 'Retry-After': '7' },
    });
    expect(lines).toEqual([]);
  });

  test('cannot be checked while the directory is unavailable', async () => {
    await expect(admit(basic('away:Mellon:x'))).rejects.toThrow('the directory is unavailable');
  });

  test('admits a user with it, by a login as over REST', async () => {
    expect(await admit(basic('ann:Mellon:x'))).toBe('ann at 192.0.2.1');
    expect(calls).toEqual([
      [
        {
          type: 'UsernamePasswordCredential',
          username: 'ann',
          password: 'Mellon:x',
          form: new Map(),
        },
        { clientAddress: '192.0.2.1', entryPoint: 'rest' },
      ],
    ]);
    expect(JSON.parse(lines.join(''))).toMatchObject({
      logger: 'management',
      msg: 'a caller was admitted',
      clientAddress: '192.0.2.1',
      by: 'role',
      principal: 'ann',
    });
    expect(lines.join('')).not.toContain('Mellon');
  });
});
