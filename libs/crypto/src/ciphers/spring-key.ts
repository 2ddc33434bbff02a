// How Spring's encryptors make an AES key of a password. What the password is, each cipher says.
import { pbkdf2 } from 'node:crypto';
import { promisify } from 'node:util';
import { CryptoError } from '../crypto-error.js';

const ITERATIONS = 1024;
const KEY_BYTES = 32;

const deriveBits = promisify(pbkdf2);

/**
 * PBKDF2 with HMAC-SHA-1 over the password's UTF-8 bytes, 1024 rounds, 256 bits. In the thread pool.
 *
 * @see spring-security-crypto, AesBytesEncryptor
 */
export function springKey(password: string, salt: Buffer): Promise<Buffer> {
  return deriveBits(password, salt, ITERATIONS, KEY_BYTES, 'sha1');
}

/** @throws CryptoError KEY_UNUSABLE where there is no salt to derive a key with */
export function usableSalt(salt: Buffer | undefined): Buffer {
  if (!salt || salt.length === 0) {
    throw new CryptoError('KEY_UNUSABLE', 'the salt is empty or not hexadecimal');
  }
  return salt;
}
