// Owns telling texts apart by their looks, so that a key is asked only for what it may have written.
import { kidOf } from '../ciphers/envelope-cipher.js';

/** `v1.<kid>` of our envelope, `hex` of Spring's symmetric ciphers, `base64` of its RSA cipher. */
export type TextForm = `v1.${string}` | 'hex' | 'base64';

/** The form a text without prefix and selectors claims to have; nothing is verified. */
export function formOf(text: string): TextForm {
  const kid = kidOf(text);
  if (kid !== undefined) return `v1.${kid}`;
  return /^[0-9a-fA-F]*$/.test(text) ? 'hex' : 'base64';
}
