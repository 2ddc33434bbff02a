// Spring's symmetric encryptors: AES under a password, texts in hexadecimal.
import { createSecretKey, type KeyObject, pbkdf2 } from 'node:crypto';
import { promisify } from 'node:util';
import { CryptoError } from '../crypto-error.js';
import { bytesOfHex } from '../strict-decoding.js';
import { type Aes, aesCbc, aesGcm } from './aes.js';
import { type Cipher, undecryptable } from './cipher.js';

export interface SpringTextOptions {
  readonly password: string;
  /** Hexadecimal; Spring's default is `deadbeef`. */
  readonly salt: string;
  /** Spring's names: `text` is CBC, which is not authenticated, `delux` is GCM. */
  readonly kind: 'text' | 'delux';
}

const MODES = { text: aesCbc, delux: aesGcm(16) };

/**
 * Compatible with Spring; new values are better encrypted by `EnvelopeCipher`. Texts are the hexadecimal
 * of IV (16 bytes) ‖ ciphertext, then with `delux` a tag (16 bytes). Digits are written in lower case and
 * read in either.
 *
 * @see spring-security-crypto, Encryptors.text and Encryptors.delux
 */
export class SpringTextCipher implements Cipher {
  private constructor(
    private readonly aes: Aes,
    private readonly key: KeyObject,
  ) {}

  /** @throws CryptoError KEY_UNUSABLE where the salt is empty or not hexadecimal */
  static async open({ password, salt, kind }: SpringTextOptions): Promise<SpringTextCipher> {
    const key = await springKey(password, requireSalt(bytesOfHex(salt)));
    return new SpringTextCipher(MODES[kind], createSecretKey(key));
  }

  encrypt(plain: Uint8Array): Promise<string> {
    return Promise.resolve(this.aes.seal(this.key, plain).toString('hex'));
  }

  decrypt(text: string): Promise<Buffer> {
    const sealed = bytesOfHex(text);
    const plain = this.aes.open(this.key, sealed ?? Buffer.alloc(text.length >>> 1));
    return sealed && plain ? Promise.resolve(plain) : Promise.reject(undecryptable());
  }
}

const ITERATIONS = 1024;
const KEY_BYTES = 32;

const deriveBits = promisify(pbkdf2);

/**
 * Derives Spring's AES key by PBKDF2 with HMAC-SHA-1: UTF-8 password, 1024 iterations, 256 bits, in the
 * thread pool.
 *
 * @see spring-security-crypto, AesBytesEncryptor
 */
export function springKey(password: string, salt: Buffer): Promise<Buffer> {
  return deriveBits(password, salt, ITERATIONS, KEY_BYTES, 'sha1');
}

/** @throws CryptoError KEY_UNUSABLE for a missing or empty salt */
export function requireSalt(salt: Buffer | undefined): Buffer {
  if (!salt || salt.length === 0) {
    throw new CryptoError('KEY_UNUSABLE', 'the salt is empty or not hexadecimal');
  }
  return salt;
}
