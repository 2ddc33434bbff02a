// Owns the port of the ciphers below Jasypt's algorithms, and those of them that OpenSSL has.
import { createCipheriv, createDecipheriv } from 'node:crypto';

export interface KeyAndIv {
  readonly key: Buffer;
  readonly iv: Buffer;
}

/** Bytes to bytes under one key. Decryption throws, or gives nonsense, where the key is another. */
export interface BulkCipher {
  readonly keyBytes: number;
  /** Also what its initialization vector has; 0 of a stream cipher, which takes none. */
  readonly blockBytes: number;
  encrypt(secret: KeyAndIv, plain: Uint8Array): Promise<Buffer> | Buffer;
  decrypt(secret: KeyAndIv, encrypted: Uint8Array): Promise<Buffer> | Buffer;
}

export function aes(keyBits: 128 | 192 | 256): BulkCipher {
  return blocksOf(`aes-${keyBits}-cbc`, { keyBytes: keyBits / 8, blockBytes: 16 });
}

export const TRIPLE_DES = blocksOf('des-ede3-cbc', { keyBytes: 24, blockBytes: 8 });

export const TWO_KEY_TRIPLE_DES = blocksOf('des-ede-cbc', { keyBytes: 16, blockBytes: 8 });

/** OpenSSL 3 offers no single DES, which is Triple DES with one key three times. */
export const DES = blocksOf('des-ede3-cbc', { keyBytes: 8, blockBytes: 8 }, (key) =>
  Buffer.concat([key, key, key]),
);

/** Cipher block chaining with the padding of PKCS #7. */
function blocksOf(
  name: string,
  sizes: Pick<BulkCipher, 'keyBytes' | 'blockBytes'>,
  keyFor = (key: Buffer): Buffer => key,
): BulkCipher {
  return {
    ...sizes,
    encrypt: ({ key, iv }, plain) => {
      const cipher = createCipheriv(name, keyFor(key), iv);
      return Buffer.concat([cipher.update(plain), cipher.final()]);
    },
    decrypt: ({ key, iv }, encrypted) => {
      const decipher = createDecipheriv(name, keyFor(key), iv);
      return Buffer.concat([decipher.update(encrypted), decipher.final()]);
    },
  };
}
