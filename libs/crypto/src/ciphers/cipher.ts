// The interface of ciphers: bytes to a text for settings files, and back, with one key.
import { CryptoError } from '../crypto-error.js';

export interface Cipher {
  /** A text without `{cipher}`, different each time. */
  encrypt(plain: Uint8Array): Promise<string>;
  /** @throws CryptoError TEXT_UNDECRYPTABLE, the same error after the same work for every invalid text */
  decrypt(text: string): Promise<Buffer>;
}

/** The only error of `decrypt`. It does not reveal whether key, format or padding was wrong. */
export function undecryptable(cause?: unknown): CryptoError {
  return new CryptoError('TEXT_UNDECRYPTABLE', 'Text not encrypted with this key', cause);
}
