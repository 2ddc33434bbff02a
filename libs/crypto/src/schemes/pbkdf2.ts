// PBKDF2 hashes of Django, passlib and directories, and in PHC string format, which fits Keycloak's values.
import { pbkdf2 as derive, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { bytesOfBase64 } from '../strict-decoding.js';
import type { PasswordScheme } from './password-scheme.js';

const DJANGO = /^pbkdf2_(sha1|sha256)\$([1-9]\d{0,7})\$([^$]{1,128})\$([^$]+)$/;
const PHC = /^\$pbkdf2(?:-(sha256|sha512))?\$i=([1-9]\d{0,7})\$([^$]+)\$([^$]+)$/;
const PASSLIB = /^\$pbkdf2(?:-(sha256|sha512))?\$([1-9]\d{0,7})\$([^$]+)\$([^$]+)$/;
const LDAP = /^\{PBKDF2(?:-(SHA1|SHA256|SHA512))?\}([1-9]\d{0,7})\$([^$]+)\$([^$]+)$/i;

// The digest size, and the iterations that take about two seconds. They count once per digest that
// the key needs: 16 bytes need one of SHA-1, Keycloak's 64 bytes need four.
const DIGESTS = new Map([
  ['sha1', { bytes: 20, maxIterations: 8_000_000 }],
  ['sha256', { bytes: 32, maxIterations: 8_000_000 }],
  ['sha512', { bytes: 64, maxIterations: 4_000_000 }],
]);
const MIN_BYTES = 16;
const MAX_BYTES = 64;

const deriveBits = promisify(derive);

interface Pbkdf2Hash {
  readonly algorithm: string;
  readonly iterations: number;
  readonly salt: Buffer;
  readonly digest: Buffer;
}

/**
 * The formats, with SHA-1, SHA-256 or SHA-512 where the format has it:
 *
 * - Django: `pbkdf2_sha256$<iterations>$<salt as text>$<Base64>`
 * - PHC: `$pbkdf2-sha256$i=<iterations>$<Base64 of the salt>$<Base64>`; `$pbkdf2` is SHA-1
 * - passlib: as PHC without `i=`, and with `.` for `+`
 * - OpenLDAP's pw-pbkdf2: as passlib, with the prefix `{PBKDF2-SHA256}`; 389 Directory Server keeps `+`
 *
 * @see RFC 8018 §5.2
 */
export const pbkdf2: PasswordScheme = (hash) => {
  const parsed = readDjango(hash) ?? readPhc(hash) ?? readPasslib(hash);
  if (!parsed || !isAffordable(parsed)) {
    return undefined;
  }
  const { algorithm, iterations, salt, digest } = parsed;
  return async (password) =>
    timingSafeEqual(await deriveBits(password, salt, iterations, digest.length, algorithm), digest);
};

function readDjango(hash: string): Pbkdf2Hash | undefined {
  const [, algorithm = '', iterations, salt = '', encoded = ''] = DJANGO.exec(hash) ?? [];
  const digest = bytesOfBase64(encoded);
  return digest && { algorithm, iterations: Number(iterations), salt: Buffer.from(salt), digest };
}

function readPhc(hash: string): Pbkdf2Hash | undefined {
  return fromParts(PHC.exec(hash), bytesOfBase64);
}

function readPasslib(hash: string): Pbkdf2Hash | undefined {
  return fromParts(PASSLIB.exec(hash) ?? LDAP.exec(hash), (text) =>
    bytesOfBase64(text.replaceAll('.', '+')),
  );
}

function fromParts(
  parts: RegExpExecArray | null,
  decode: (text: string) => Buffer | undefined,
): Pbkdf2Hash | undefined {
  const [, algorithm = 'sha1', iterations, encodedSalt = '', encoded = ''] = parts ?? [];
  const salt = decode(encodedSalt);
  const digest = decode(encoded);
  return (
    salt &&
    digest && { algorithm: algorithm.toLowerCase(), iterations: Number(iterations), salt, digest }
  );
}

function isAffordable({ algorithm, iterations, digest }: Pbkdf2Hash): boolean {
  const { bytes, maxIterations } = DIGESTS.get(algorithm) ?? { bytes: 1, maxIterations: 0 };
  return (
    digest.length >= MIN_BYTES &&
    digest.length <= MAX_BYTES &&
    iterations * Math.ceil(digest.length / bytes) <= maxIterations
  );
}
