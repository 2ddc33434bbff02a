// AES-256 in two modes: the bytes of one message, laid out as our texts and Spring's hold them. Keys
// and how the bytes become a text are the ciphers'.
import {
  createCipheriv,
  createDecipheriv,
  randomBytes,
  type CipherKey,
  type Decipheriv,
} from 'node:crypto';

const BLOCK_BYTES = 16;
const TAG_BYTES = 16;

/** One mode with one layout. A key has 32 bytes. */
export interface Aes {
  /** The message under a random IV, which stands in front. */
  seal(key: CipherKey, plain: Uint8Array, header?: Uint8Array): Buffer;
  /** `undefined` after the same work, whatever is wrong, too few bytes included. */
  open(key: CipherKey, sealed: Buffer, header?: Uint8Array): Buffer | undefined;
}

/**
 * IV (16 bytes) ‖ ciphertext, with PKCS#5 padding. Nothing authenticates it: of altered messages one
 * in 256 opens, as other bytes.
 */
export const aesCbc: Aes = {
  seal(key, plain) {
    const iv = randomBytes(BLOCK_BYTES);
    const cipher = createCipheriv('aes-256-cbc', key, iv);
    return Buffer.concat([iv, cipher.update(plain), cipher.final()]);
  },
  open(key, sealed) {
    // An IV alone is refused like any other length that is not one of whole blocks.
    const whole = sealed.length < BLOCK_BYTES ? Buffer.alloc(BLOCK_BYTES) : sealed;
    const decipher = createDecipheriv('aes-256-cbc', key, whole.subarray(0, BLOCK_BYTES));
    return finish(decipher, whole.subarray(BLOCK_BYTES));
  },
};

/** IV ‖ ciphertext ‖ tag (16 bytes), which authenticates the header too. Spring's IV has 16 bytes. */
export function aesGcm(ivBytes: 12 | 16): Aes {
  const leastBytes = ivBytes + TAG_BYTES;
  return {
    seal(key, plain, header = Buffer.alloc(0)) {
      const iv = randomBytes(ivBytes);
      const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(header);
      return Buffer.concat([iv, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
    },
    open(key, sealed, header = Buffer.alloc(0)) {
      // The stand-in's tag of zeros is one of 2^128.
      const whole = sealed.length < leastBytes ? Buffer.alloc(leastBytes) : sealed;
      const options = { authTagLength: TAG_BYTES };
      const decipher = createDecipheriv('aes-256-gcm', key, whole.subarray(0, ivBytes), options)
        .setAAD(header)
        .setAuthTag(whole.subarray(-TAG_BYTES));
      return finish(decipher, whole.subarray(ivBytes, -TAG_BYTES));
    },
  };
}

function finish(decipher: Decipheriv, ciphertext: Buffer): Buffer | undefined {
  try {
    return Buffer.concat([decipher.update(ciphertext), decipher.final()]);
  } catch {
    return undefined;
  }
}
