import { beforeEach, describe, expect, test } from '@jest/globals';
import { configureLogging } from '@tessera/logging';
import { isKnownNetwork } from '@tessera/runtime';
import { MemoryFailureStore, ThrottledError } from '@tessera/throttling';
import { RecordedEvents } from '../../../../test/support/recorded-events.js';
import { ANY_PRINCIPAL, credentialOf } from './authentication-handler.conformance.js';
import type { AuthenticationHandler, Verdict } from './authentication-handler.js';
import { Authenticator } from './authenticator.js';
import { LoginThrottles } from './login-throttles.js';

const context = { clientAddress: '192.0.2.7', entryPoint: 'rest' } as const;
const CREDENTIAL = credentialOf('alice', 'Mellon');
const alice = { id: 'alice', attributes: { mail: ['a@example.org'] } };
const UNTHROTTLED = new LoginThrottles(new MemoryFailureStore(), {
  login: undefined,
  rest: undefined,
});
const accepting: Verdict = { accepted: alice };
const refusing: Verdict = { refused: 'wrong password' };

let lines: string[];
let calls: string[];
let trail: RecordedEvents;

beforeEach(() => {
  lines = [];
  calls = [];
  trail = new RecordedEvents();
  configureLogging({
    application: 'test',
    levels: { root: 'info' },
    pretty: false,
    write: (line) => lines.push(line),
  });
});

function handler(name: string, answer: Verdict | Error): AuthenticationHandler {
  return {
    name,
    supports: () => true,
    authenticate: () => {
      calls.push(name);
      return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
    },
  };
}

const away = new Error('the database is not available');
const authenticate = (...handlers: readonly AuthenticationHandler[]) =>
  new Authenticator(handlers, UNTHROTTLED, ANY_PRINCIPAL, trail).authenticate(CREDENTIAL, context);
const logged = () => lines.map((line): unknown => JSON.parse(line));

describe('handlers in their order', () => {
  test('no login is accepted without a handler', async () => {
    expect(await authenticate()).toBeUndefined();
  });

  test('all must refuse for a refusal', async () => {
    expect(await authenticate(handler('a', refusing), handler('b', refusing))).toBeUndefined();
    expect(calls).toEqual(['a', 'b']);
  });

  test('the first that accepts decides, and later ones are not tried', async () => {
    const before = Date.now();
    const authentication = await authenticate(
      handler('a', refusing),
      handler('b', accepting),
      handler('c', accepting),
    );
    expect(authentication).toEqual({
      principal: alice,
      handler: 'b',
      credentialType: 'UsernamePasswordCredential',
      authenticatedAt: expect.any(Date),
      methods: [{ method: 'password', at: authentication?.authenticatedAt }],
    });
    expect(authentication?.authenticatedAt.getTime()).toBeGreaterThanOrEqual(before);
    expect(calls).toEqual(['a', 'b']);
  });

  test.each<[string, Verdict, string]>([
    ['an accepted', accepting, '2001:db8:1:2::1'],
    ['no refused', refusing, '2001:db8:3:4::1'],
  ])('%s login makes the network of its caller known', async (_what, verdict, clientAddress) => {
    const handlers = [handler('a', verdict)];
    const authenticator = new Authenticator(handlers, UNTHROTTLED, ANY_PRINCIPAL, trail);
    await authenticator.authenticate(credentialOf('alice', 'x'), { ...context, clientAddress });
    const network = `${clientAddress.slice(0, -3)}::/64`;
    expect(isKnownNetwork(network)).toBe(verdict === accepting);
  });

  test('one that does not support the credential is not tried', async () => {
    const picky = { ...handler('a', accepting), supports: () => false };
    expect(await authenticate(picky, handler('b', refusing))).toBeUndefined();
    expect(calls).toEqual(['b']);
  });

  test.each<[string, Verdict | Error, Verdict | Error]>([
    ['fails before one refuses', away, refusing],
    ['fails after one refuses', refusing, away],
    ['fails before another fails', away, new Error('second')],
  ])('one that %s makes the answer an error, not a refusal', async (_what, first, second) => {
    await expect(authenticate(handler('a', first), handler('b', second))).rejects.toBe(away);
  });

  test.each<[string, readonly (Verdict | Error)[], boolean]>([
    ['fails alone is no failure', [away], false],
    ['fails beside one without the user is none', [{ refused: 'unknown user' }, away], false],
    ['fails after one that found the password wrong is one', [refusing, away], true],
    ['fails before one that found the password wrong is one', [away, refusing], true],
  ])('for the throttle, a login with one that %s', async (_what, answers, isCounted) => {
    const policy = { threshold: 1, addressThreshold: 1, window: 60_000 };
    const throttles = new LoginThrottles(new MemoryFailureStore(), { login: policy, rest: policy });
    const handlers = answers.map((answer, index) => handler(String(index), answer));
    const authenticator = new Authenticator(handlers, throttles, ANY_PRINCIPAL, trail);
    const login = () => authenticator.authenticate(credentialOf('alice', 'x'), context);
    await expect(login()).rejects.toBe(away);
    await expect(login()).rejects.toBeInstanceOf(isCounted ? ThrottledError : Error);
    expect(calls).toHaveLength(isCounted ? answers.length : 2 * answers.length);
  });

  test('one that is unavailable is tried after the others, if none accepts', async () => {
    const unavailable = { ...handler('a', away), isUnavailable: true };
    expect(await authenticate(unavailable, handler('b', accepting))).toMatchObject({
      handler: 'b',
    });
    expect(calls.splice(0)).toEqual(['b']);
    await expect(authenticate(unavailable, handler('b', refusing))).rejects.toBe(away);
    expect(calls).toEqual(['b', 'a']);
  });

  test('one that throws before it returns a promise has failed too', async () => {
    const broken = {
      ...handler('a', refusing),
      authenticate: () => {
        throw away;
      },
    };
    await expect(authenticate(broken)).rejects.toBe(away);
  });

  test('one that fails is skipped where another accepts', async () => {
    const authentication = await authenticate(handler('a', away), handler('b', accepting));
    expect(authentication).toMatchObject({ handler: 'b' });
  });
});

describe('the policy for principals', () => {
  const refusingAlice = {
    ...ANY_PRINCIPAL,
    apply: (verdict: Verdict, name: string, username: string): Promise<Verdict> => {
      calls.push(`policy for ${verdict.accepted?.id ?? 'nobody'}, ${username}, by ${name}`);
      const isAlice = verdict.accepted?.id === 'alice';
      return Promise.resolve(isAlice ? { refused: 'account disabled' } : verdict);
    },
  };
  const bob: Verdict = { accepted: { id: 'bob', attributes: {} } };
  const underPolicy = (
    policy: typeof ANY_PRINCIPAL,
    ...handlers: readonly AuthenticationHandler[]
  ) =>
    new Authenticator(handlers, UNTHROTTLED, policy, trail).authenticate(
      credentialOf('al', 'Mellon'),
      context,
    );

  test('is applied to each verdict, and another handler may accept another principal', async () => {
    const handlers = [handler('a', refusing), handler('b', accepting), handler('c', bob)];
    expect(await underPolicy(refusingAlice, ...handlers)).toMatchObject({
      principal: { id: 'bob' },
      handler: 'c',
    });
    expect(calls.filter((each) => each.startsWith('policy'))).toEqual([
      'policy for nobody, al, by a',
      'policy for alice, al, by b',
      'policy for bob, al, by c',
    ]);
  });

  test('refuses, and the log names the principal and the reason', async () => {
    expect(await underPolicy(refusingAlice, handler('b', accepting))).toBeUndefined();
    expect(logged()).toEqual([
      expect.objectContaining({
        outcome: 'refused',
        username: 'al',
        principal: 'alice',
        reasons: { b: 'account disabled' },
      }),
    ]);
    expect(logged()[0]).not.toHaveProperty('handler');
  });

  test.each([
    ['accepted', accepting],
    ['refused', refusing],
  ])(
    'that fails leaves a verdict that %s undecided, and no other handler is tried',
    async (_what, verdict) => {
      const failing = { ...ANY_PRINCIPAL, apply: () => Promise.reject(away) };
      const handlers = [handler('a', verdict), handler('b', accepting)];
      await expect(underPolicy(failing, ...handlers)).rejects.toBe(away);
      expect(calls).toEqual(['a']);
      expect(logged()).toEqual([expect.objectContaining({ outcome: 'undecided' })]);
    },
  );
});

describe('the audit line', () => {
  test.each<[string, readonly AuthenticationHandler[], object]>([
    [
      'an accepted login: principal, handler, address',
      [handler('a', refusing), handler('b', accepting)],
      { outcome: 'accepted', handler: 'b', reasons: { a: 'wrong password' } },
    ],
    [
      'a refused login: why, by each handler',
      [handler('a', { refused: 'unknown user' }), handler('b', { refused: 'account disabled' })],
      { outcome: 'refused', reasons: { a: 'unknown user', b: 'account disabled' } },
    ],
    [
      'an undecided login: what failed',
      [handler('a', refusing), handler('b', away)],
      { outcome: 'undecided', reasons: { b: 'failed: the database is not available' } },
    ],
  ])('is one, of %s', async (_what, handlers, fields) => {
    await authenticate(...handlers).catch(() => undefined);
    expect(logged()).toEqual([
      expect.objectContaining({
        logger: 'authentication',
        level: 'info',
        username: 'alice',
        clientAddress: '192.0.2.7',
        credentialType: 'UsernamePasswordCredential',
        ...fields,
        reasons: expect.objectContaining(Reflect.get(fields, 'reasons')),
      }),
    ]);
  });

  test('never holds the password or a form field', async () => {
    const form = new Map([['token', ['hunter2']]]);
    const credential = { ...credentialOf('alice', 'Mellon'), form };
    await new Authenticator(
      [handler('a', refusing)],
      UNTHROTTLED,
      ANY_PRINCIPAL,
      trail,
    ).authenticate(credential, context);
    expect(lines.join('\n')).not.toMatch(/Mellon|hunter2/);
  });

  test.each(['a\r\nb', '\u001b[31m', 'x'.repeat(65_536)])(
    'stays one short line for any user name',
    async (username) => {
      const credential = credentialOf(username, 'Mellon');
      await new Authenticator([], UNTHROTTLED, ANY_PRINCIPAL, trail).authenticate(
        credential,
        context,
      );
      expect(lines).toHaveLength(1);
      expect(lines[0]).toMatch(/^\P{Cc}{1,1000}$/u);
    },
  );
});

describe('the audit trail', () => {
  const login = {
    action: 'LOGIN',
    principal: 'alice',
    clientAddress: '192.0.2.7',
  };
  const details = { entryPoint: 'rest', credentialType: 'UsernamePasswordCredential' };

  test('has an accepted login, with the principal of the handler', async () => {
    await authenticate(
      handler('a', refusing),
      handler('b', { accepted: { id: 'Alice', attributes: {} } }),
    );
    expect(trail.events).toEqual([
      { ...login, principal: 'Alice', outcome: 'success', details: { ...details, handler: 'b' } },
    ]);
  });

  test.each([
    ['refused', refusing, ['failure', 'CREDENTIALS_REFUSED', 'wrong password']],
    [
      'expired',
      { refused: 'password expired' },
      ['failure', 'PASSWORD_EXPIRED', 'password expired'],
    ],
    ['undecided', away, ['unknown', 'HANDLER_FAILED', 'failed: the database is not available']],
  ] as const)('has a login that is %s, with its reasons', async (_, answer, expected) => {
    await authenticate(handler('a', answer)).catch(() => {});
    const [outcome, reason, a] = expected;
    expect(trail.events).toEqual([
      { ...login, outcome, reason, details: { ...details, reasons: { a } } },
    ]);
  });
});
