// Owns the port of ciphers: bytes to a text that can stand in a settings file, and back, under one key.
import { CryptoError } from '../crypto-error.js';

/** One key with one way to use it. Which key a text needs is the key ring's affair. */
export interface Cipher {
  /** A text without `{cipher}`; no two are alike. */
  encrypt(plain: Uint8Array): Promise<string>;
  /** @throws CryptoError TEXT_UNDECRYPTABLE, the same after the same work, whatever is wrong with the text */
  decrypt(text: string): Promise<Buffer>;
}

/** The one refusal of every cipher: it tells nobody whether the key, the form or the padding was at fault. */
export function undecryptable(cause?: unknown): CryptoError {
  return new CryptoError('TEXT_UNDECRYPTABLE', 'Text not encrypted with this key', { cause });
}
