// Our own texts: AES-256-GCM, with the id of the key in front, so that keys can be changed. Which keys
// there are is the key ring's affair.
import { createSecretKey, type KeyObject } from 'node:crypto';
import { CryptoError } from '../crypto-error.js';
import { aesGcm } from './aes.js';
import { undecryptable, type Cipher } from './cipher.js';

const KID = /^[A-Za-z0-9_-]{1,64}$/;
const HEADER = /^v1\.([A-Za-z0-9_-]{1,64})\./;
const KEY_BYTES = 32;

const AES = aesGcm(12);

/**
 * Texts are `v1.<kid>.<Base64url of nonce (12 bytes) ‖ ciphertext ‖ tag (16 bytes)>`; all of it is
 * authenticated, what stands in front too. Nonces are random: one key is good for 2^32 values.
 */
export class EnvelopeCipher implements Cipher {
  private readonly header: string;
  private readonly headerBytes: Buffer;
  private readonly key: KeyObject;

  /**
   * @param key 32 bytes
   * @param kid 1 to 64 of A–Z, a–z, 0–9, `_` and `-`; public
   * @throws CryptoError KEY_UNUSABLE for another key or id
   */
  constructor(key: Uint8Array, kid: string) {
    if (key.length !== KEY_BYTES) {
      throw new CryptoError('KEY_UNUSABLE', `a key has ${KEY_BYTES} bytes, this one ${key.length}`);
    }
    if (!KID.test(kid)) {
      throw new CryptoError('KEY_UNUSABLE', 'a key id has 1 to 64 letters, digits, _ and -');
    }
    this.header = `v1.${kid}.`;
    this.headerBytes = Buffer.from(this.header);
    this.key = createSecretKey(key);
  }

  encrypt(plain: Uint8Array): Promise<string> {
    const sealed = AES.seal(this.key, plain, this.headerBytes);
    return Promise.resolve(this.header + sealed.toString('base64url'));
  }

  decrypt(text: string): Promise<Buffer> {
    const digits = text.slice(this.header.length);
    const sealed = Buffer.from(digits, 'base64url');
    const isFormed = text.startsWith(this.header) && sealed.toString('base64url') === digits;
    const plain = AES.open(this.key, sealed, this.headerBytes);
    return isFormed && plain ? Promise.resolve(plain) : Promise.reject(undecryptable());
  }
}

/** The id of the key that a text names; `undefined` for other ciphers' texts. Nothing is verified. */
export function kidOf(text: string): string | undefined {
  return HEADER.exec(text)?.[1];
}
