// SHA-256 digests, and comparison of secrets in constant time.
import { hash, timingSafeEqual } from 'node:crypto';

/** The SHA-256 of the UTF-8 bytes as 64 hexadecimal digits. For random ids, never for passwords. */
export function sha256(text: string): string {
  return hash('sha256', text, 'hex');
}

/**
 * Whether two texts are equal. The time does not depend on where they differ.
 *
 * Compares UTF-16, because UTF-8 would turn all lone surrogates into one replacement character.
 */
export function equalsInConstantTime(a: string, b: string): boolean {
  return timingSafeEqual(utf16Digest(a), utf16Digest(b));
}

function utf16Digest(text: string): Buffer {
  return hash('sha256', Buffer.from(text, 'utf16le'), 'buffer');
}
