// Verifies password hashes that other systems made. Each family has a file in schemes/.
import { argon2i } from './argon2-hash.js';
import { bcrypt } from './schemes/bcrypt.js';
import type { PasswordScheme } from './schemes/password-scheme.js';
import { pbkdf2 } from './schemes/pbkdf2.js';
import { saltedSha } from './schemes/salted-sha.js';
import { scrypt } from './schemes/scrypt.js';
import { shaCrypt } from './schemes/sha-crypt.js';

const SCHEMES: readonly PasswordScheme[] = [argon2i, bcrypt, pbkdf2, scrypt, shaCrypt, saltedSha];

// No supported hash is longer.
const MAX_LENGTH = 512;

// LDAP puts the scheme in braces and Django in front of a `$`; the hash itself repeats it.
const SCHEME_PREFIX = /^(?:\{(?:CRYPT|ARGON2|BCRYPT)\}|argon2(?=\$argon2)|bcrypt\$(?=\$2))/i;

/** The hash without a scheme prefix of LDAP or Django. */
export function withoutSchemePrefix(hash: string): string {
  return hash.replace(SCHEME_PREFIX, '');
}

/**
 * The password check for a hash; `undefined` where no family supports the hash or it costs too much.
 *
 * The check compares the password's UTF-8 bytes as typed. A password without UTF-8 or with a NUL never
 * matches: bcrypt and SHA-crypt often stop at a NUL, and PBKDF2 and scrypt ignore NULs at the end of a
 * short password.
 */
export function foreignPasswordCheck(
  hash: string,
): ((password: string) => Promise<boolean>) | undefined {
  if (hash.length > MAX_LENGTH) {
    return undefined;
  }
  for (const scheme of SCHEMES) {
    const check = scheme(hash);
    if (check) {
      return async (password) =>
        password.isWellFormed() && !password.includes('\0') && check(Buffer.from(password));
    }
  }
  return undefined;
}
