// One-way digests and comparing secrets with them; passwords have a slow hash of their own.
import { hash, timingSafeEqual } from 'node:crypto';

/** The SHA-256 of a text's UTF-8 bytes, as 64 hexadecimal digits. For random ids, never for passwords. */
export function sha256(text: string): string {
  return hash('sha256', text, 'hex');
}

/**
 * Whether two texts are the same, in a time that does not tell where they differ.
 *
 * UTF-16 keeps lone surrogates apart, which UTF-8 would turn into one replacement character.
 */
export function equalsInConstantTime(a: string, b: string): boolean {
  return timingSafeEqual(utf16Digest(a), utf16Digest(b));
}

function utf16Digest(text: string): Buffer {
  return hash('sha256', Buffer.from(text, 'utf16le'), 'buffer');
}
