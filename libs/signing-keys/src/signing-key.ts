// A key that signs tokens, as a private JSON Web Key, and how one is made.
import { generateKeyPair, hash, type JsonWebKey } from 'node:crypto';
import { promisify } from 'node:util';

export const SIGNING_ALGORITHMS = ['RS256', 'ES256'] as const;
export type SigningAlgorithm = (typeof SIGNING_ALGORITHMS)[number];

/** The private key. @see RFC 7517, RFC 7518 §6 */
export interface SigningKey extends JsonWebKey {
  /** Public; names the key in tokens. */
  readonly kid: string;
  readonly alg: SigningAlgorithm;
  readonly use: 'sig';
}

const MODULUS_BITS = 2048;
const generate = promisify(generateKeyPair);

/** A new random key, whose id is its thumbprint. It is made in the thread pool; for RS256 that takes up to a second. */
export async function newSigningKey(alg: SigningAlgorithm): Promise<SigningKey> {
  const { privateKey } = await (alg === 'RS256'
    ? generate('rsa', { modulusLength: MODULUS_BITS })
    : generate('ec', { namedCurve: 'P-256' }));
  const jwk = privateKey.export({ format: 'jwk' });
  return { ...jwk, kid: thumbprint(jwk), alg, use: 'sig' };
}

/** The members that others may see. */
export function publicJwk({ kty, crv, n, e, x, y, kid, alg, use }: SigningKey): object {
  return kty === 'RSA' ? { kty, n, e, kid, alg, use } : { kty, crv, x, y, kid, alg, use };
}

/** @see RFC 7638 §3: the required members in lexicographic order, without white space */
export function thumbprint({ kty, crv, n, e, x, y }: JsonWebKey): string {
  const members = kty === 'RSA' ? { e, kty, n } : { crv, kty, x, y };
  return hash('sha256', JSON.stringify(members), 'base64url');
}
