// Logins whose password is right, and may not be used: what the caller is told.
import { describe, expect, test } from '@jest/globals';
import { MemoryFailureStore } from '@tessera/throttling';
import { RecordedEvents } from '../../../../test/support/recorded-events.js';
import { ANY_PRINCIPAL, credentialOf } from './authentication-handler.conformance.js';
import type { AuthenticationHandler, RefusalReason, Verdict } from './authentication-handler.js';
import { Authenticator } from './authenticator.js';
import { LoginThrottles } from './login-throttles.js';

const UNTHROTTLED = new LoginThrottles(new MemoryFailureStore(), {
  login: undefined,
  rest: undefined,
});
const refusing: Verdict = { refused: 'wrong password' };
const accepting: Verdict = { accepted: { id: 'alice', attributes: {} } };
const away = new Error('the database is not available');

const handler = (name: string, answer: Verdict | Error): AuthenticationHandler => ({
  name,
  supports: () => true,
  authenticate: () => (answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer)),
});
const authenticate = (...handlers: readonly AuthenticationHandler[]) =>
  new Authenticator(handlers, UNTHROTTLED, ANY_PRINCIPAL, new RecordedEvents()).authenticate(
    credentialOf('alice', 'Mellon'),
    { clientAddress: '192.0.2.7', entryPoint: 'rest' },
  );

describe('a right password that may not be used', () => {
  const expired: Verdict = { refused: 'password expired' };
  const mustChange: Verdict = { refused: 'password must change' };

  test.each([
    [expired, 'PASSWORD_EXPIRED'],
    [mustChange, 'PASSWORD_MUST_CHANGE'],
  ])('%j is told, whatever other handlers refuse for', async (verdict, code) => {
    const login = authenticate(
      handler('a', refusing),
      handler('b', verdict),
      handler('c', refusing),
    );
    await expect(login).rejects.toMatchObject({ name: 'PasswordError', code });
  });

  test('does not keep another handler from accepting', async () => {
    const login = authenticate(handler('a', expired), handler('b', accepting));
    expect(await login).toMatchObject({ handler: 'b' });
  });

  test('is undecided where another handler could not decide', async () => {
    await expect(authenticate(handler('a', expired), handler('b', away))).rejects.toBe(away);
  });

  test.each<RefusalReason>(['account disabled', 'account expired', 'account locked'])(
    'is not told for: %s',
    async (refused) => expect(await authenticate(handler('a', { refused }))).toBeUndefined(),
  );
});
