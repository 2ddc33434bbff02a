// Scrypt hashes in PHC string format and in Django's.
import { scrypt as derive, timingSafeEqual, type ScryptOptions } from 'node:crypto';
import { bytesOfBase64 } from '../strict-decoding.js';
import type { PasswordScheme } from './password-scheme.js';

const PHC = /^\$scrypt\$ln=([1-9]\d?),r=([1-9]\d{0,3}),p=([1-9]\d{0,3})\$([^$]+)\$([^$]+)$/;
const DJANGO = /^scrypt\$([1-9]\d{0,7})\$([^$]{1,128})\$([1-9]\d{0,3})\$([1-9]\d{0,3})\$([^$]+)$/;

const MIN_BYTES = 16;
const MAX_BYTES = 64;
const MAX_MEMORY = 256 * 1024 * 1024;
// N times r times p: about a second and a half of one core.
const MAX_WORK = 2 ** 22;

/** The parameters of RFC 7914; N is 2 to the power of `logN`. */
interface ScryptHash {
  readonly logN: number;
  readonly r: number;
  readonly p: number;
  readonly salt: Buffer;
  readonly digest: Buffer;
}

/**
 * `$scrypt$ln=<log2 N>,r=<r>,p=<p>$<Base64 of the salt>$<Base64>` and
 * `scrypt$<N>$<salt as text>$<r>$<p>$<Base64>`.
 *
 * @see RFC 7914
 */
export const scrypt: PasswordScheme = (hash) => {
  const parsed = readPhc(hash) ?? readDjango(hash);
  if (!parsed || !isAffordable(parsed)) {
    return undefined;
  }
  const { logN, r, p, salt, digest } = parsed;
  const options = { N: 2 ** logN, r, p, maxmem: 2 * MAX_MEMORY };
  return async (password) =>
    timingSafeEqual(await deriveBytes(password, salt, digest.length, options), digest);
};

function readPhc(hash: string): ScryptHash | undefined {
  const [, logN, r, p, encodedSalt = '', encoded = ''] = PHC.exec(hash) ?? [];
  const salt = bytesOfBase64(encodedSalt);
  const digest = bytesOfBase64(encoded);
  return salt && digest && { logN: Number(logN), r: Number(r), p: Number(p), salt, digest };
}

function readDjango(hash: string): ScryptHash | undefined {
  const [, n, salt = '', r, p, encoded = ''] = DJANGO.exec(hash) ?? [];
  const digest = bytesOfBase64(encoded);
  const logN = Math.log2(Number(n));
  return digest && { logN, r: Number(r), p: Number(p), salt: Buffer.from(salt), digest };
}

function isAffordable({ logN, r, p, digest }: ScryptHash): boolean {
  const n = 2 ** logN;
  return (
    Number.isInteger(logN) &&
    logN >= 1 &&
    logN < 16 * r && // RFC 7914 §2, and OpenSSL refuses the rest
    128 * n * r <= MAX_MEMORY &&
    n * r * p <= MAX_WORK &&
    digest.length >= MIN_BYTES &&
    digest.length <= MAX_BYTES
  );
}

/** The types of `promisify` do not cover the call with options. */
function deriveBytes(
  password: Buffer,
  salt: Buffer,
  length: number,
  options: ScryptOptions,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    derive(password, salt, length, options, (error, bytes) => {
      if (error) {
        reject(error);
      } else {
        resolve(bytes);
      }
    });
  });
}
