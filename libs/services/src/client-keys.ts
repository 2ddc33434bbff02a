// The public keys of an OpenID Connect client. No reason of a violation repeats any part of a key.
import { createPublicKey, type JsonWebKey } from 'node:crypto';
import { isRecord, type Report, type Rule } from './field-rules.js';

/** A JWK set. */
export interface PublicKeys {
  readonly keys: readonly object[];
}

const MAX_KEYS = 20;
const MAX_LENGTH = 50_000;
const MIN_RSA_BITS = 2_048;
/** Of private keys, and of symmetric ones. @see RFC 7518 §6 */
const SECRET_MEMBERS = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'];
/** In JSON: PostgreSQL stores no such character. */
const NOT_STORABLE = /\\u(?:0000|d[89a-f])/i;
const ASYMMETRIC = new Set<unknown>(['RSA', 'EC', 'OKP']);

export const publicKeys: Rule<PublicKeys> = (value, report) => {
  const keys = isRecord(value) && Object.keys(value).length === 1 ? value['keys'] : undefined;
  if (!Array.isArray(keys) || keys.length === 0 || keys.length > MAX_KEYS) {
    report(`must be a JWK set: an object with a list "keys" of 1 to ${MAX_KEYS} keys alone`);
    return { keys: [] };
  }
  if (!keys.every(isFlat)) {
    report('must hold keys without objects in them');
    return { keys: [] };
  }
  const json = JSON.stringify(keys);
  if (json.length > MAX_LENGTH) report(`must have at most ${MAX_LENGTH} characters`);
  else if (NOT_STORABLE.test(json)) report('must not hold the character NUL, nor half a character');
  else for (const key of keys) inspectKey(key, report);
  return { keys };
};

/**
 * Whether the members of a key are values, or lists of values, as those of public keys are. Others can be nested so deeply that
 * no JSON can be made of them.
 *
 * @see RFC 7517 §4
 */
function isFlat(key: unknown): boolean {
  if (!isRecord(key)) return !Array.isArray(key);
  return Object.values(key)
    .flat()
    .every((each) => typeof each !== 'object' || each === null);
}

function inspectKey(key: unknown, report: Report): void {
  if (!isRecord(key)) report('must hold keys that are objects');
  else if (SECRET_MEMBERS.some((member) => Object.hasOwn(key, member))) {
    report('must hold public keys alone, and has a private or a symmetric one');
  } else if (!ASYMMETRIC.has(key['kty'])) report('must hold keys of the types RSA, EC and OKP');
  else if (!isUsable(key)) {
    report(`must hold valid keys, and RSA keys of at least ${MIN_RSA_BITS} bits`);
  }
}

function isUsable(key: JsonWebKey): boolean {
  try {
    const { asymmetricKeyDetails } = createPublicKey({ key, format: 'jwk' });
    return (asymmetricKeyDetails?.modulusLength ?? MIN_RSA_BITS) >= MIN_RSA_BITS;
  } catch {
    return false;
  }
}
