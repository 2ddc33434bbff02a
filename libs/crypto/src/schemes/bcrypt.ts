// Bcrypt as $2a$, $2b$ and $2y$, which are three names of one function today. $2x$ was a faulty one.
import type { PasswordScheme } from './password-scheme.js';

// The last digits of salt and digest have bits to spare, which are zero.
const BCRYPT = /^\$2[aby]\$(\d\d)\$[./A-Za-z0-9]{21}[.Oeu][./A-Za-z0-9]{30}[.CGKOSWaeimquy26]$/;
const MIN_COST = 4;
// Each step doubles the work; this one takes about two seconds.
const MAX_COST = 15;

/** Bytes behind the seventy-second do not count, as everywhere in bcrypt. */
export const bcrypt: PasswordScheme = (hash) => {
  const cost = Number(BCRYPT.exec(hash)?.[1]);
  if (!(cost >= MIN_COST && cost <= MAX_COST)) return undefined;
  return async (password) => {
    // Native, and of no use to whoever has no such hash.
    const { verify } = await import('@node-rs/bcrypt');
    return verify(password, hash);
  };
};
