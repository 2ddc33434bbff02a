// The signature schemes and keys that are strong enough.
import { constants, type KeyObject, verify } from 'node:crypto';
import { checkDer } from './der/check-der.js';
import { constructedContext, type DerElement, DerFields, TAG } from './der/der-element.js';
import { objectIdentifier } from './der/der-values.js';

const MIN_RSA_BITS = 2048;
const MAX_RSA_BITS = 16_384;
const CURVES = ['prime256v1', 'secp384r1'];

export interface SignatureScheme {
  readonly family: 'rsa' | 'rsa-pss' | 'ec' | 'ed25519';
  /** Null where the scheme defines it. */
  readonly digest: 'sha256' | 'sha384' | 'sha512' | null;
}

const DIGESTS: ReadonlyMap<string, 'sha256' | 'sha384' | 'sha512'> = new Map([
  ['2.16.840.1.101.3.4.2.1', 'sha256'],
  ['2.16.840.1.101.3.4.2.2', 'sha384'],
  ['2.16.840.1.101.3.4.2.3', 'sha512'],
]);

const RSA_PSS = '1.2.840.113549.1.1.10';
const MASK_GENERATION = '1.2.840.113549.1.1.8';

const SCHEMES: ReadonlyMap<string, SignatureScheme> = new Map([
  ['1.2.840.113549.1.1.11', { family: 'rsa', digest: 'sha256' }],
  ['1.2.840.113549.1.1.12', { family: 'rsa', digest: 'sha384' }],
  ['1.2.840.113549.1.1.13', { family: 'rsa', digest: 'sha512' }],
  ['1.2.840.10045.4.3.2', { family: 'ec', digest: 'sha256' }],
  ['1.2.840.10045.4.3.3', { family: 'ec', digest: 'sha384' }],
  ['1.2.840.10045.4.3.4', { family: 'ec', digest: 'sha512' }],
  ['1.3.101.112', { family: 'ed25519', digest: null }],
]);

/**
 * The scheme of an AlgorithmIdentifier; undefined for weak and unknown schemes.
 *
 * @throws CertificateError CERTIFICATE_UNREADABLE
 * @see RFC 4055, RFC 5758, RFC 8410
 */
export function signatureScheme(algorithm: DerElement): SignatureScheme | undefined {
  checkDer(algorithm);
  const [identifier, parameters] = partsOf(algorithm);
  return identifier === RSA_PSS ? pssScheme(parameters) : SCHEMES.get(identifier);
}

/** Absent fields default to SHA-1, which is weak. @see RFC 4055 §3.1 */
function pssScheme(parameters: DerElement | undefined): SignatureScheme | undefined {
  if (parameters === undefined) return undefined;
  const fields = new DerFields(parameters);
  const hash = fields.optional(constructedContext(0))?.onlyChild();
  const mask = fields.optional(constructedContext(1))?.onlyChild();
  if (hash === undefined || mask === undefined) return undefined;
  const [maskFunction, maskHash] = partsOf(mask);
  const digest = DIGESTS.get(partsOf(hash)[0]);
  const isUniform =
    maskFunction === MASK_GENERATION &&
    maskHash !== undefined &&
    DIGESTS.get(partsOf(maskHash)[0]) === digest;
  return digest !== undefined && isUniform ? { family: 'rsa-pss', digest } : undefined;
}

function partsOf(algorithm: DerElement): [identifier: string, parameters: DerElement | undefined] {
  const [identifier, parameters] = algorithm.expect(TAG.sequence).children();
  return [identifier === undefined ? '' : objectIdentifier(identifier), parameters];
}

/** Whether `key` made the signature. */
export function isSignature(
  signature: Uint8Array,
  data: Uint8Array,
  scheme: SignatureScheme,
  key: KeyObject,
): boolean {
  const { family, digest } = scheme;
  const isOfFamily =
    key.asymmetricKeyType === family || (family === 'rsa-pss' && key.asymmetricKeyType === 'rsa');
  if (!isOfFamily) return false;
  const padding = family === 'rsa-pss' ? { padding: constants.RSA_PKCS1_PSS_PADDING } : {};
  try {
    return verify(digest, data, { key, ...padding }, signature);
  } catch {
    return false; // the key is restricted to other digests
  }
}

/** RSA of at least 2048 bits, P-256, P-384 and Ed25519. */
export function isStrongKey({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): boolean {
  switch (asymmetricKeyType) {
    case 'rsa':
    case 'rsa-pss': {
      const { modulusLength = 0, publicExponent = 0n } = asymmetricKeyDetails ?? {};
      const isOfSize = modulusLength >= MIN_RSA_BITS && modulusLength <= MAX_RSA_BITS;
      return isOfSize && publicExponent >= 3n;
    }
    case 'ec':
      return CURVES.includes(asymmetricKeyDetails?.namedCurve ?? '');
    case 'ed25519':
      return true;
    default:
      return false;
  }
}
