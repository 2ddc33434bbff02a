// Owns the headers that tell an unknown caller how to prove itself.
import type { CallerError } from './caller-error.js';

/** @see RFC 9110 §11.6.1, RFC 7617 §2.1 */
export function challengeOf({ code }: CallerError): Readonly<Record<string, string>> {
  return code === 'CALLER_UNKNOWN' ? { 'WWW-Authenticate': 'Basic realm="config-server"' } : {};
}
