// SHA-256-crypt ($5$) and SHA-512-crypt ($6$), as Unix systems and OpenLDAP's {CRYPT} write them.
import { equalsInConstantTime } from '../digest.js';
import type { PasswordScheme } from './password-scheme.js';
import { computeShaCrypt } from './sha-crypt-thread.js';

const SHA_CRYPT =
  /^\$([56])\$(?:rounds=([1-9]\d{3,6})\$)?([!-#%-9;-~]{0,16})\$([./0-9A-Za-z]{43}(?:[./0-9A-Za-z]{43})?)$/;

const DEFAULT_ROUNDS = 5000;
// About a second and a half, and three times that for the longest passwords; the specification allows
// a thousand times more.
const MAX_ROUNDS = 1_000_000;
const DIGITS = { sha256: 43, sha512: 86 };
// The work grows with the square of the length; crypt(3) of Linux takes no more than this either.
const MAX_PASSWORD = 511;

/**
 * `$6$rounds=<rounds>$<salt>$<digest>`, where the rounds may be left out.
 *
 * @see Ulrich Drepper, Unix crypt using SHA-256 and SHA-512
 */
export const shaCrypt: PasswordScheme = (hash) => {
  const [, id, stated, salt = '', digest = ''] = SHA_CRYPT.exec(hash) ?? [];
  const algorithm = id === '5' ? 'sha256' : 'sha512';
  const rounds = Number(stated ?? DEFAULT_ROUNDS);
  if (digest.length !== DIGITS[algorithm] || rounds > MAX_ROUNDS) {
    return undefined;
  }
  return async (password) => {
    if (password.length > MAX_PASSWORD) {
      return false;
    }
    const computed = await computeShaCrypt({ algorithm, rounds, salt, password });
    return equalsInConstantTime(computed, digest);
  };
};
