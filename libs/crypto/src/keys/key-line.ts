// Owns the form of our own key files: one line `v1.<kid>.<32 bytes in base64url>`, and comments.
import { randomBytes } from 'node:crypto';
import { keyId } from '../ciphers/envelope-key.js';
import { kidOf } from '../ciphers/envelope-cipher.js';
import { unusable } from './unusable-key.js';

const KEY_BYTES = 32;

/** A key for the AES-256-GCM envelope, and the id that its texts carry. */
export interface EnvelopeKey {
  readonly kid: string;
  /** 32 bytes. */
  readonly key: Buffer;
}

/**
 * A new random key as the text of a key file.
 *
 * @param kid 1 to 64 of `A-Z a-z 0-9 _ -`, no secret; by default one that is made from the key
 * @throws CryptoError KEY_UNUSABLE for another kid
 */
export function newKeyFile(kid?: string): string {
  const key = randomBytes(KEY_BYTES);
  const line = `v1.${kid ?? keyId(key)}.${key.toString('base64url')}`;
  if (kid !== undefined && kidOf(line) !== kid) {
    throw unusable('the id of a key has 1 to 64 letters, digits, "_" and "-"');
  }
  return `${line}\n`;
}

/** @throws CryptoError KEY_UNUSABLE, about `path`, unless the content has exactly one key */
export function parseKeyFile(content: string, path: string): EnvelopeKey {
  const [line = '', ...others] = linesOf(content);
  const kid = kidOf(line);
  const digits = line.slice(`v1.${kid}.`.length);
  const key = Buffer.from(digits, 'base64url');
  // The last digit has two bits to spare: each key has one spelling.
  const isWhole = key.length === KEY_BYTES && key.toString('base64url') === digits;
  if (kid === undefined || others.length > 0 || !isWhole) {
    const expected = 'one line "v1.<id>.<256 bits in base64url>", or PEM of a private key';
    throw unusable(`${path} must hold ${expected}`);
  }
  return { kid, key };
}

function linesOf(content: string): readonly string[] {
  const lines = content.split('\n');
  return lines.map((line) => line.trim()).filter((line) => line !== '' && !line.startsWith('#'));
}
