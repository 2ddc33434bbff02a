// Bcrypt hashes $2a$, $2b$ and $2y$, which are the same function today. $2x$ has a known bug.
import type { PasswordScheme } from './password-scheme.js';

// The last digits of salt and digest have unused bits, which are zero.
const BCRYPT = /^\$2[aby]\$(\d\d)\$[./A-Za-z0-9]{21}[.Oeu][./A-Za-z0-9]{30}[.CGKOSWaeimquy26]$/;
const MIN_COST = 4;
// Each step doubles the work; 15 takes about two seconds.
const MAX_COST = 15;

/** Like every bcrypt, ignores all bytes after the 72nd. */
export const bcrypt: PasswordScheme = (hash) => {
  const cost = Number(BCRYPT.exec(hash)?.[1]);
  if (!(cost >= MIN_COST && cost <= MAX_COST)) return undefined;
  return async (password) => {
    // Loads the native module only where such a hash exists.
    const { verify } = await import('@node-rs/bcrypt');
    return verify(password, hash);
  };
};
