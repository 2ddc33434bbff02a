// Which password hashes of other systems are read. Each family of them is a file in schemes/.
import { argon2i } from './schemes/argon2i.js';
import { bcrypt } from './schemes/bcrypt.js';
import type { PasswordScheme } from './schemes/password-scheme.js';
import { pbkdf2 } from './schemes/pbkdf2.js';
import { saltedSha } from './schemes/salted-sha.js';
import { scrypt } from './schemes/scrypt.js';
import { shaCrypt } from './schemes/sha-crypt.js';

const SCHEMES: readonly PasswordScheme[] = [argon2i, bcrypt, pbkdf2, scrypt, shaCrypt, saltedSha];

// No hash of any family is longer.
const MAX_LENGTH = 512;

// LDAP names the family in braces, Django in front of a `$`; the hash says the same behind it.
const ENVELOPE = /^(?:\{(?:CRYPT|ARGON2|BCRYPT)\}|argon2(?=\$argon2)|bcrypt\$(?=\$2))/i;

/** The hash without the name of its family, where a directory or a framework put one in front. */
export function withoutEnvelope(hash: string): string {
  return hash.replace(ENVELOPE, '');
}

/**
 * How to tell whether a hash was made of a password; `undefined` where no family knows the hash, or
 * it costs too much.
 *
 * The password counts as it was typed, in UTF-8. One that has no UTF-8 matches nothing, nor does one
 * with a NUL: bcrypt and SHA-crypt often end there, and for PBKDF2 and scrypt NULs at the end of a
 * short password make no difference.
 */
export function foreignCheck(hash: string): ((password: string) => Promise<boolean>) | undefined {
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
