// Owns the one way to say that a key cannot be used. What is wrong is told, never what the key is.
import { CryptoError } from '../crypto-error.js';

/** @param message starts with the path where the key came from a file */
export function unusable(message: string, cause?: unknown): CryptoError {
  return new CryptoError('KEY_UNUSABLE', message, { cause });
}
