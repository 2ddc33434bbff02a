// Bcrypt as $2a$, $2b$ and $2y$, which are three names of one function today. $2x$ was a faulty one.
import { parseOptions, verify } from '@node-rs/bcrypt';
import type { PasswordScheme } from './password-scheme.js';

const BCRYPT = /^\$2[aby]\$\d\d\$[./A-Za-z0-9]{53}$/;
// Each step doubles the work; this one takes about two seconds.
const MAX_COST = 15;

/** Bytes behind the seventy-second do not count, as everywhere in bcrypt. */
export const bcrypt: PasswordScheme = (hash) =>
  isBearable(hash) ? (password) => verify(password, hash) : undefined;

function isBearable(hash: string): boolean {
  if (!BCRYPT.test(hash)) {
    return false;
  }
  try {
    return parseOptions(hash).cost <= MAX_COST;
  } catch {
    return false;
  }
}
