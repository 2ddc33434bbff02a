import type { IncomingMessage } from 'node:http';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { PasswordHashing, sha256 } from '@tessera/crypto';
import { AddressRanges, ClientAddresses } from '@tessera/server';
import type { ViolationText } from '@tessera/config';
import { AuthenticationThrottle, MemoryFailureStore } from '@tessera/throttling';
import { readClient, type Client, type ClientEntry } from '../settings/client.js';
import { KnownCallers } from './known-callers.js';

const hashing = new PasswordHashing({ memory: 1_024, iterations: 1 });
const NOTHING = { applications: [], profiles: [] };
const POLICY = { threshold: 3, addressThreshold: 5, window: 60_000 };
let clients: ReadonlyMap<string, Client>;

beforeAll(async () => {
  const entries: Record<string, ClientEntry> = {
    orders: {
      'password-hash': [await hashing.hash('s3cret:é')],
      applications: ['orders', 'billing'],
      permissions: ['read', 'encrypt'],
    },
    ops: { 'token-hash': [`sha256:${sha256('t0ken')}`], applications: ['*'] },
  };
  clients = new Map(
    Object.entries(entries).map(([name, client]) => [name, readClient(name, client) as Client]),
  );
});

function requestOf(headers: Record<string, string>, remoteAddress = '192.0.2.1'): IncomingMessage {
  return { headers, socket: { remoteAddress } } as unknown as IncomingMessage;
}

const basic = (name: string, password: string) => ({
  authorization: `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`,
});
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

function knownCallers(): KnownCallers {
  const throttle = new AuthenticationThrottle(new MemoryFailureStore(), 'test', POLICY);
  const nobody = { proxies: AddressRanges.parse([]), header: 'x-forwarded-for' } as const;
  return new KnownCallers(clients, hashing, throttle, new ClientAddresses(nobody));
}

describe('known callers refuse', () => {
  test.each<[string, Record<string, string>, string | undefined]>([
    ['who says nothing', {}, undefined],
    ['who gives a wrong password', basic('orders', 's3cret'), 'orders'],
    ['who gives the hash for the password', basic('orders', '$argon2id$'), 'orders'],
    ['an unknown name', basic('nobody', 's3cret:é'), undefined],
    ['a password of a client that has none', basic('ops', 't0ken'), 'ops'],
    ['a wrong token', bearer('t0ken2'), undefined],
    ['a token of a client that has none', bearer(''), undefined],
  ])('%s, and tell the name only if it is known', async (_rule, headers, client) => {
    await expect(knownCallers().admit(requestOf(headers), 'read', NOTHING)).rejects.toMatchObject({
      code: 'CALLER_UNKNOWN',
      client,
    });
  });

  test('what a client may not do', async () => {
    const scope = { applications: ['users'], profiles: ['prod'] };
    const asked = knownCallers().admit(requestOf(basic('orders', 's3cret:é')), 'read', scope);
    await expect(asked).rejects.toMatchObject({
      code: 'CALLER_NOT_ALLOWED',
      message: 'this client is not allowed that application',
      client: 'orders',
    });
  });

  test('a client with too many failures, with the right password too, and nobody else', async () => {
    const callers = knownCallers();
    const right = requestOf(basic('orders', 's3cret:é'));
    await callers.admit(right, 'read', NOTHING);
    for (let failure = 0; failure < POLICY.threshold; failure += 1) {
      const wrong = requestOf(basic('orders', `wrong ${failure}`));
      await expect(callers.admit(wrong, 'read', NOTHING)).rejects.toMatchObject({
        code: 'CALLER_UNKNOWN',
      });
    }
    await expect(callers.admit(right, 'read', NOTHING)).rejects.toMatchObject({
      code: 'AUTHENTICATION_THROTTLED',
    });
    await callers.admit(requestOf(basic('orders', 's3cret:é'), '192.0.2.2'), 'read', NOTHING);
  });

  test('wrong tokens, each for itself and all of them for the address; a right one never', async () => {
    const callers = knownCallers();
    const codeOf = (token: string): Promise<unknown> =>
      callers.admit(requestOf(bearer(token)), 'read', NOTHING).then(
        () => 'let in',
        (error: unknown) => (error as { code?: unknown }).code,
      );
    const [unknown, throttled] = ['CALLER_UNKNOWN', 'AUTHENTICATION_THROTTLED'];
    for (const [token, outcome] of [
      ...Array.from({ length: POLICY.threshold }, () => ['stale', unknown]),
      ['stale', throttled],
      ['t0ken', 'let in'],
      ['another', unknown],
      ['third', unknown],
      ['fourth', throttled],
      ['t0ken', 'let in'],
    ] as const) {
      expect([token, await codeOf(token ?? '')]).toEqual([token, outcome]);
    }
  });

  test('what was proved once with another password', async () => {
    const callers = knownCallers();
    await callers.admit(requestOf(basic('orders', 's3cret:é')), 'read', NOTHING);
    await expect(
      callers.admit(requestOf(basic('orders', 's3cret:e')), 'read', NOTHING),
    ).rejects.toMatchObject({ code: 'CALLER_UNKNOWN' });
  });
});

describe('known callers let in', () => {
  test.each([
    ['a client with its password', basic('orders', 's3cret:é'), ['orders', 'billing'], 'orders'],
    ['a client with its token', bearer('t0ken'), ['anything'], 'ops'],
  ])('%s, and tell who it is', async (_rule, headers, applications, name) => {
    const scope = { applications, profiles: ['prod'] };
    const asked = knownCallers().admit(requestOf(headers), 'read', scope);
    await expect(asked).resolves.toEqual({ name, address: '192.0.2.1' });
  });

  test('a password again without hashing it again', async () => {
    const callers = knownCallers();
    await callers.admit(requestOf(basic('orders', 's3cret:é')), 'read', NOTHING);
    const before = hashing.verifications;
    await callers.admit(requestOf(basic('orders', 's3cret:é')), 'read', NOTHING);
    expect(hashing.verifications).toBe(before);
  });

  test('nobody sooner for an unknown name than for a known one', async () => {
    const before = hashing.verifications;
    await knownCallers()
      .admit(requestOf(basic('nobody', 'x')), 'read', NOTHING)
      .catch(() => undefined);
    expect(hashing.verifications).toBe(before + 1);
  });
});

describe('a client is refused', () => {
  test.each<[string, string, ClientEntry, string]>([
    ['with a colon in its name', 'a:b', {}, 'its name'],
    ['that cannot prove itself', 'a', { applications: ['*'] }, 'needs a password-hash'],
    ['with a password for a hash', 'a', { 'password-hash': ['s3cret'] }, 'password-hash is none'],
    ['with a token for a hash', 'a', { 'token-hash': ['t0ken'] }, 'token-hash must be'],
    ['with no application', 'a', { applications: [''] }, 'applications must name'],
    ['with a pattern of applications', 'a', { applications: ['or*'] }, 'no patterns: "or*"'],
    ['with an unknown permission', 'a', { permissions: ['write'] }, 'permissions may only'],
    ['with an unknown field', 'a', { password: ['x'] }, 'has no field "password"'],
  ])('%s', (_rule, name, entry, fault) => {
    const faults = readClient(name, entry) as readonly ViolationText[];
    expect(faults.map(({ message }) => message)).toContainEqual(expect.stringContaining(fault));
    expect(JSON.stringify(faults)).not.toMatch(/s3cret|t0ken/);
  });
});
