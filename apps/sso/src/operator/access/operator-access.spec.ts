// What the contract tests do not reach: directories that are away, and what is counted at either door.
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Secret } from '@tessera/config';
import { configureLogging, withRequest } from '@tessera/logging';
import { AuthenticationThrottle, MemoryFailureStore, ThrottledError } from '@tessera/throttling';
import type { Authenticator } from '../../authentication/authenticator.js';
import { SsoSettings } from '../../settings/sso-settings.js';
import { type AcceptedProofs, API, REFRESH } from './accepted-proofs.js';
import { OperatorAccess } from './operator-access.js';
import type { OperatorSession } from './operator-session.js';

const TOKEN = 'token-0123456789abcdef';
const ADDRESS = '192.0.2.1';
const ROLE = { roleName: 'memberOf', roleValue: 'operator|admin' };
const POLICY = { threshold: 2, addressThreshold: 2, window: 60_000 };

let lines: string[];
let calls: unknown[];
let settings: SsoSettings;
let operatorTokens: AuthenticationThrottle;

const authenticator: Pick<Authenticator, 'authenticate'> = {
  authenticate(credential, context) {
    calls.push([credential, context]);
    const id = 'username' in credential ? credential.username : '';
    if (id === 'blocked') return Promise.reject(new ThrottledError(7));
    if (id === 'away') return Promise.reject(new Error('the directory is unavailable'));
    return Promise.resolve({
      principal: { id, attributes: { memberOf: [id === 'bob' ? 'operators' : 'operator'] } },
      handler: 'static',
      credentialType: credential.type,
      authenticatedAt: new Date(),
      methods: [],
    });
  },
};

beforeEach(() => {
  lines = [];
  calls = [];
  settings = new SsoSettings();
  manage({ token: new Secret(TOKEN) });
  operatorTokens = new AuthenticationThrottle(new MemoryFailureStore(), 'rest', POLICY);
  const write = (line: string) => lines.push(line);
  configureLogging({ application: 'test', levels: { throttling: 'error' }, write });
});

afterAll(() => configureLogging({ application: 'test', levels: { root: 'warn' } }));

function admit(
  headers: IncomingHttpHeaders,
  accepted: AcceptedProofs = REFRESH,
  remoteAddress = ADDRESS,
): Promise<string> {
  const sessions = { of: () => Promise.resolve(undefined) } as unknown as OperatorSession;
  const access = new OperatorAccess(settings, sessions, authenticator, {
    operatorTokens,
  });
  const request = { headers, method: 'POST', originalUrl: '/x?y', socket: { remoteAddress } };
  const origin = { id: 'r', clientAddress: remoteAddress };
  return withRequest(origin, () => access.admit(request as unknown as IncomingMessage, accepted));
}

function basic(credentials: string): IncomingHttpHeaders {
  return { authorization: `Basic ${btoa(credentials)}` };
}

function bearer(token: string): IncomingHttpHeaders {
  return { authorization: `Bearer ${token}` };
}

function manage(management: object): void {
  Object.assign(settings.management, management);
}

/** Whether a user who logs in over REST from the same address is blocked. */
async function isBlocked(): Promise<boolean> {
  const login = () => Promise.resolve();
  return operatorTokens
    .guard({ address: ADDRESS, name: 'ann' }, login, () => false)
    .then(
      () => false,
      () => true,
    );
}

describe('wrong tokens', () => {
  test.each([
    ['documented', 429],
    ['apereo', 423],
  ] as const)('at both doors are counted together: in dialect %s %d', async (dialect, status) => {
    settings.dialect = dialect;
    for (const door of [API, REFRESH]) {
      expect(await isBlocked()).toBe(false);
      await expect(admit(bearer(`${TOKEN}x`), door)).rejects.toMatchObject({ status: 401 });
    }
    expect(await isBlocked()).toBe(true);
    expect(lines.join('')).toContain(`"clientAddress":"${ADDRESS}"`);
    expect(lines.join('')).not.toContain(TOKEN);
    lines = [];
    const refusal = { code: 'AUTHENTICATION_THROTTLED', headers: { 'Retry-After': '60' } };
    await expect(admit(bearer('x'))).rejects.toMatchObject({ ...refusal, status });
    await expect(admit(bearer('x'), API)).rejects.toMatchObject({ ...refusal, status: 429 });
    expect(lines).toEqual([]);
    expect(await admit(bearer(TOKEN))).toBe(ADDRESS);
    expect(await admit(bearer(TOKEN), API)).toBe(ADDRESS);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      logger: 'operator',
      msg: 'a caller was admitted',
      by: 'token',
      clientAddress: ADDRESS,
    });
  });

  test.each<[string, IncomingHttpHeaders, AcceptedProofs, object]>([
    ['nothing', {}, REFRESH, {}],
    ['the right token', bearer(TOKEN), REFRESH, {}],
    ['a password where no role is set', basic('ann:Mellon'), REFRESH, {}],
    ['a password at the API', basic('ann:Mellon'), API, ROLE],
    ['a token where none is set', bearer('x'), REFRESH, { ...ROLE, token: undefined }],
  ])('do not include %s', async (_what, headers, door, management) => {
    manage(management);
    for (let time = 0; time < 3; time += 1) await admit(headers, door).catch(() => undefined);
    expect(await isBlocked()).toBe(false);
    expect(calls).toEqual([]);
  });
});

describe('a password', () => {
  beforeEach(() => manage({ ...ROLE, token: undefined }));

  test.each([
    ['without a password', 'ann:'],
    ['without a name', ':Mellon'],
    ['with a control character', 'ann\0:Mellon'],
  ])('%s is not tried: a directory might accept it', async (_what, credentials) => {
    await expect(admit(basic(credentials))).rejects.toMatchObject({ status: 401 });
    expect(calls).toEqual([]);
  });

  test('of a user whose directory is away is neither right nor wrong', async () => {
    await expect(admit(basic('away:Mellon'))).rejects.toThrow('the directory is unavailable');
  });

  test.each([
    ['a blocked user', 'blocked', 429, { 'Retry-After': '7' }],
    ['a user without the role', 'bob', 403, {}],
    ['a user whose name stands for the token', 'management token', 403, {}],
  ])('of %s is refused', async (_what, name, status, headers) => {
    await expect(admit(basic(`${name}:Mellon`))).rejects.toMatchObject({ status, headers });
  });

  test('of a user with the role is checked by a login as over REST', async () => {
    expect(await admit(basic('ann:Mellon:x'))).toBe(`ann at ${ADDRESS}`);
    expect(calls).toEqual([
      [
        expect.objectContaining({ username: 'ann', password: 'Mellon:x' }),
        { clientAddress: ADDRESS, entryPoint: 'rest' },
      ],
    ]);
    expect(JSON.parse(lines.join(''))).toMatchObject({ by: 'password', principal: 'ann' });
    expect(lines.join('')).not.toContain('Mellon');
  });
});

test.each([
  ['a local program in production', [], '127.0.0.1', 'nobody may manage this server; set '],
  ['another machine in dev', ['dev'], ADDRESS, 'this is another machine; set '],
])('without token and role, %s is refused', async (_who, profiles, address, message) => {
  manage({ token: undefined });
  settings.profiles = profiles;
  const refusal = { status: 403, message: expect.stringContaining(message) };
  await expect(
    admit({ host: 'localhost', ...bearer(TOKEN) }, REFRESH, address),
  ).rejects.toMatchObject(refusal);
});
