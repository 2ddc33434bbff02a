// Reads the signing keys of a JSON Web Key Set with private keys, such as the keystore.jwks of Apereo CAS.
import { createPrivateKey, createPublicKey, sign, verify } from 'node:crypto';
import { withPrimes } from './rsa-primes.js';
import { SigningKeyError } from './signing-key-error.js';
import { type SigningAlgorithm, type SigningKey, thumbprint } from './signing-key.js';

export interface KeystoreFile {
  readonly keys: readonly KeystoreKey[];
  readonly skipped: readonly SkippedKey[];
}

export interface KeystoreKey {
  readonly key: SigningKey;
  /** False for a key that signs no more, but whose tokens may still be valid. */
  readonly isCurrent: boolean;
}

export interface SkippedKey {
  /** Undefined where the file has none. */
  readonly kid: string | undefined;
  readonly reason: string;
}

/** A key of a file, of which nothing is known. */
type FileKey = Readonly<Record<string, unknown>>;

/** The member `state` of Apereo CAS, which takes a key without one for the current one. */
const FUTURE = 1;
const PREVIOUS = 2;
const MIN_MODULUS_BITS = 2048;
const KID = /^[\x20-\x7e]{1,200}$/;
const PROBE = Buffer.from('probe');

/**
 * The keys for RS256 and ES256 under their ids, in the order of the file. A key without an id gets its thumbprint.
 *
 * @throws SigningKeyError KEYSTORE_INVALID for a file of another kind, or an incomplete private key. The message repeats no part
 *   of the file but key ids.
 */
export function readKeystore(text: string): KeystoreFile {
  const keys: KeystoreKey[] = [];
  const skipped: SkippedKey[] = [];
  for (const each of keysOf(text)) {
    const kid = kidOf(each);
    const reason = unusableReason(each);
    if (reason !== undefined) skipped.push({ kid, reason });
    else keys.push({ key: readKey(each, kid), isCurrent: each['state'] !== PREVIOUS });
  }
  const ids = keys.map(({ key }) => key.kid);
  const twice = ids.find((kid, index) => ids.indexOf(kid) !== index);
  if (twice !== undefined) throw invalid(`it has two keys with the id ${twice}`);
  return { keys, skipped };
}

function keysOf(text: string): readonly FileKey[] {
  const content = parse(text);
  const keys = isObject(content) ? content['keys'] : undefined;
  if (!Array.isArray(keys) || !keys.every(isObject)) {
    throw invalid('it must be a JSON Web Key Set: {"keys": […]}');
  }
  return keys;
}

/** The error of `JSON.parse` would quote the text. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalid('it is not JSON; decrypt an encrypted keystore first');
  }
}

function kidOf({ kid }: FileKey): string | undefined {
  if (kid === undefined || (typeof kid === 'string' && KID.test(kid))) return kid;
  throw invalid('the id of a key must have 1 to 200 printable characters');
}

function unusableReason(key: FileKey): string | undefined {
  if (key['use'] === 'enc') return 'it is for encryption';
  const alg = algorithmOf(key);
  if (alg === undefined) return 'it is neither an RSA key nor an EC key of P-256';
  if (key['alg'] !== undefined && key['alg'] !== alg) return `its algorithm is not ${alg}`;
  if (key['state'] === FUTURE) return 'it is for the future, and has signed nothing';
  if (key['d'] === undefined) return 'it has no private part';
  return alg === 'RS256' && isShort(key)
    ? `it is shorter than ${MIN_MODULUS_BITS} bits`
    : undefined;
}

function algorithmOf({ kty, crv }: FileKey): SigningAlgorithm | undefined {
  if (kty === 'RSA') return 'RS256';
  return kty === 'EC' && crv === 'P-256' ? 'ES256' : undefined;
}

function isShort({ n }: FileKey): boolean {
  const modulus = Buffer.from(typeof n === 'string' ? n : '', 'base64url');
  const leadingZeros = Math.clz32(modulus[0] ?? 0) - 24;
  return modulus.length * 8 - leadingZeros < MIN_MODULUS_BITS;
}

/** The members of a private key alone, checked by a signature. Errors of Node would quote values. */
function readKey(key: FileKey, kid: string | undefined): SigningKey {
  const alg = algorithmOf(key);
  try {
    if (alg === undefined) throw new Error('unreachable');
    const complete = withPrimes(key);
    const privateKey = createPrivateKey({ key: complete, format: 'jwk' });
    const publicKey = createPublicKey({ key: complete, format: 'jwk' });
    const jwk = privateKey.export({ format: 'jwk' });
    if (verify('sha256', PROBE, publicKey, sign('sha256', PROBE, privateKey))) {
      return { ...jwk, kid: kid ?? thumbprint(jwk), alg, use: 'sig' };
    }
  } catch {
    // Reported below.
  }
  throw invalid(`the private key ${kid ?? 'without an id'} is incomplete or invalid`);
}

function isObject(value: unknown): value is FileKey {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function invalid(message: string): SigningKeyError {
  return new SigningKeyError('KEYSTORE_INVALID', message);
}
