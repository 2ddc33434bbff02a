// Spring's symmetric encryptors: one password, texts in hexadecimal. For values that other software
// wrote or reads; new ones are better in our own envelope.
import { createSecretKey, type KeyObject } from 'node:crypto';
import { aesCbc, aesGcm, type Aes } from './aes.js';
import { undecryptable, type Cipher } from './cipher.js';
import { bytesOfHex } from './hex.js';
import { springKey, usableSalt } from './spring-key.js';

export interface SpringTextOptions {
  readonly password: string;
  /** Hexadecimal; `deadbeef` where Spring is told none. */
  readonly salt: string;
  /** As Spring calls its encryptors: `text` is CBC, which nothing authenticates, `delux` is GCM. */
  readonly kind: 'text' | 'delux';
}

const MODES = { text: aesCbc, delux: aesGcm(16) };

/**
 * Texts are IV (16 bytes) ‖ ciphertext, then with `delux` a tag (16 bytes): written in lowercase
 * digits, read in either case.
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
    const key = await springKey(password, usableSalt(bytesOfHex(salt)));
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
