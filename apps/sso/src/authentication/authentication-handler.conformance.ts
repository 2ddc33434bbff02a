// Conformance suite of handlers of user names and passwords; the spec of each handler runs it.
import { describe, expect, test } from '@jest/globals';
import type { Attributes } from '@tessera/services';
import type {
  AuthenticationHandler,
  UsernamePasswordCredential,
} from './authentication-handler.js';
import type { PrincipalPolicy } from './principal-policy.js';

/** The user that a handler under test must have, and no other user with a similar name. */
export const CONFORMANCE_USER = {
  name: 'J\u00fcrgen O\u2019Neil',
  password: 'Mellon \u{1f5dd} p\u00e4ss:: wort',
  attributes: { mail: ['j@example.org'], memberOf: ['staff', 'admin'], 'display name': [''] },
} as const;

/** A credential without further form fields. */
export function credentialOf(username: string, password: string): UsernamePasswordCredential {
  return { type: 'UsernamePasswordCredential', username, password, form: new Map() };
}

/** A policy that changes no verdict. */
export const ANY_PRINCIPAL: Pick<PrincipalPolicy, 'apply'> = {
  apply: (verdict) => Promise.resolve(verdict),
};

/** Differences of external user stores. */
export interface ConformanceOptions {
  /** The user's attributes that the store supports. */
  readonly attributes?: Attributes;
  /** Whether the store compares names without regard to case, and returns its own spelling. */
  readonly ignoresCase?: boolean;
}

/** @param handler returns the handler under test, which has {@link CONFORMANCE_USER} */
export function conformsToAuthenticationHandler(
  handler: () => AuthenticationHandler<UsernamePasswordCredential>,
  options: ConformanceOptions = {},
): void {
  const { name, password } = CONFORMANCE_USER;
  const { attributes = CONFORMANCE_USER.attributes, ignoresCase = false } = options;
  const authenticate = (username: string, secret: string) =>
    handler().authenticate(credentialOf(username, secret));

  describe('as an authentication handler', () => {
    test('has a name and supports user names with passwords', () => {
      expect(handler().name).toMatch(/^[a-z0-9-]+$/);
      expect(handler().supports(credentialOf('', ''))).toBe(true);
    });

    test.each([
      ['another password', name, 'Mellon'],
      ['the empty password', name, ''],
      ['the beginning of the password', name, password.slice(0, -1)],
      ['the password and more', name, `${password} `],
      ['the password in another case', name, password.toUpperCase()],
      ['a NUL behind the password', name, `${password}\0`],
      ['64 KiB of password', name, 'x'.repeat(65_536)],
      ['a lone surrogate as the password', name, '\ud800'],
      ['the user name as the password', name, name],
    ])('refuses %s as a wrong password', async (_what, username, secret) => {
      expect(await authenticate(username, secret)).toEqual({ refused: 'wrong password' });
    });

    test.each([
      ['somebody else', 'nobody'],
      ['the empty name', ''],
      ...(ignoresCase ? [] : [['the name in another case', name.toLowerCase()]]),
      ['the name with white space behind it', `${name} `],
      ['the name with a NUL behind it', `${name}\0`],
      ['the name with a line end behind it', `${name}\r\n`],
      ['a part of the name', name.slice(0, 3)],
      ['the name without its diaeresis', name.replace('\u00fc', 'u')],
      ['a pattern', '%'],
      ['a name of objects', '__proto__'],
      ['a quote', `' or 1=1 --`],
      ['a lone surrogate', '\ud800'],
      ['64 KiB of name', 'x'.repeat(65_536)],
      ['64 KiB of combining marks', '\u0301\u0323'.repeat(16_384)],
    ])('refuses %s as an unknown user', async (_what, username) => {
      expect(await authenticate(username, password)).toEqual({ refused: 'unknown user' });
    });

    test('accepts the right password, with the user\u2019s name and all attributes', async () => {
      const { accepted } = await authenticate(name, password);
      expect(accepted).toEqual({ id: name, attributes });
    });

    if (ignoresCase) {
      test('takes the name in any case and answers with its one spelling', async () => {
        const { accepted } = await authenticate(name.toLowerCase(), password);
        expect(accepted?.id).toBe(name);
      });
    }

    test('takes the name in any Unicode form and answers with its one spelling', async () => {
      const { accepted } = await authenticate(name.normalize('NFD'), password);
      expect(accepted?.id).toBe(name);
    });

    test('ignores the other fields of the form', async () => {
      const form = new Map([['password', ['wrong']]]);
      const { accepted } = await handler().authenticate({ ...credentialOf(name, password), form });
      expect(accepted?.id).toBe(name);
    });
  });
}
