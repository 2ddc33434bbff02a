// Our own cipher: AES-256-GCM with the key id in front of the text, and key derivation from a password.
import { createHmac, createSecretKey, type KeyObject, scrypt } from 'node:crypto';
import { CryptoError } from '../crypto-error.js';
import { aesGcm } from './aes.js';
import { type Cipher, undecryptable } from './cipher.js';

const KID = /^[A-Za-z0-9_-]{1,64}$/;
const HEADER = /^v1\.([A-Za-z0-9_-]{1,64})\./;
const KEY_BYTES = 32;

const AES = aesGcm(12);

/**
 * Texts are `v1.<kid>.<Base64url of nonce (12 bytes) ‖ ciphertext ‖ tag (16 bytes)>`. The tag also
 * authenticates `v1.<kid>.`. Nonces are random: one key is safe for 2^32 values.
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
    // Not `Buffer.from`, which uses the pool. Bytes that invalid digits leave unwritten fail the comparison.
    const sealed = Buffer.alloc(Buffer.byteLength(digits, 'base64url'));
    sealed.write(digits, 'base64url');
    const isWellFormed = text.startsWith(this.header) && sealed.toString('base64url') === digits;
    const plain = AES.open(this.key, sealed, this.headerBytes);
    return isWellFormed && plain ? Promise.resolve(plain) : Promise.reject(undecryptable());
  }
}

/** The key id in a text, not verified; `undefined` for texts of other ciphers. */
export function kidOf(text: string): string | undefined {
  return HEADER.exec(text)?.[1];
}

const KID_DIGITS = 8;
const KID_LABEL = 'tessera envelope key id v1';

// 32 MiB and about 0.1 s, once per key at start.
const WORK = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 1024 * 1024 };

/**
 * Derives a key of 32 bytes from the NFC form of a password by scrypt (N = 2^15, r = 8, p = 1), in the
 * thread pool.
 *
 * @param salt not secret; should differ between installations
 * @see RFC 7914
 */
export function deriveKey(password: string, salt: string | Uint8Array): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(password.normalize('NFC'), salt, KEY_BYTES, WORK, (error, key) => {
      if (error) {
        reject(error);
      } else {
        resolve(key);
      }
    });
  });
}

/** Eight hexadecimal digits that identify a key and reveal nothing else about it. */
export function keyId(key: Uint8Array): string {
  return createHmac('sha256', key).update(KID_LABEL).digest('hex').slice(0, KID_DIGITS);
}
