// The symmetric ciphers of Jasypt's algorithms: AES and DES by OpenSSL, RC2 by node-forge, RC4 here.
import { createCipheriv, createDecipheriv } from 'node:crypto';

export interface KeyAndIv {
  readonly key: Buffer;
  readonly iv: Buffer;
}

/** Decryption with a wrong key throws or returns other bytes. */
export interface BulkCipher {
  readonly keyBytes: number;
  /** Also the size of the initialization vector; 0 for a stream cipher, which has none. */
  readonly blockBytes: number;
  encrypt(secret: KeyAndIv, plain: Uint8Array): Promise<Buffer> | Buffer;
  decrypt(secret: KeyAndIv, encrypted: Uint8Array): Promise<Buffer> | Buffer;
}

export function aes(keyBits: 128 | 192 | 256): BulkCipher {
  return blockCipher(`aes-${keyBits}-cbc`, { keyBytes: keyBits / 8, blockBytes: 16 });
}

export const TRIPLE_DES = blockCipher('des-ede3-cbc', { keyBytes: 24, blockBytes: 8 });

export const TWO_KEY_TRIPLE_DES = blockCipher('des-ede-cbc', { keyBytes: 16, blockBytes: 8 });

/** OpenSSL 3 has no single DES, which equals Triple DES with the same key three times. */
export const DES = blockCipher('des-ede3-cbc', { keyBytes: 8, blockBytes: 8 }, (key) =>
  Buffer.concat([key, key, key]),
);

/** CBC with PKCS #7 padding. */
function blockCipher(
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

const RC2_BLOCK_BYTES = 8;

/** CBC with PKCS #7 padding. OpenSSL 3 has no RC2, so node-forge is loaded at the first use. @see RFC 2268 */
export function rc2(keyBits: 40 | 64 | 128): BulkCipher {
  return {
    keyBytes: keyBits / 8,
    blockBytes: RC2_BLOCK_BYTES,
    encrypt: (secret, plain) => cryptRc2('createEncryptionCipher', secret, plain),
    decrypt: async (secret, encrypted) =>
      withoutPadding(await cryptRc2('createDecryptionCipher', secret, encrypted)),
  };
}

async function cryptRc2(
  direction: 'createEncryptionCipher' | 'createDecryptionCipher',
  { key, iv }: KeyAndIv,
  bytes: Uint8Array,
): Promise<Buffer> {
  const { default: forge } = await import('node-forge');
  const cipher = forge.rc2[direction](binary(key), key.length * 8);
  cipher.start(binary(iv));
  cipher.update(forge.util.createBuffer(binary(bytes)));
  if (direction === 'createEncryptionCipher') {
    cipher.finish();
  }
  return Buffer.from(cipher.output.getBytes(), 'latin1');
}

/** node-forge accepts most invalid padding, so this checks it. */
function withoutPadding(bytes: Buffer): Buffer {
  const size = bytes.at(-1) ?? 0;
  const padding = bytes.subarray(-size);
  if (size < 1 || size > RC2_BLOCK_BYTES || padding.some((byte) => byte !== size)) {
    throw new Error('bad padding');
  }
  return bytes.subarray(0, -size);
}

function binary(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('latin1');
}

const RC4_STATES = 256;

/** OpenSSL 3 has no RC4. */
export function rc4(keyBits: 40 | 128): BulkCipher {
  const crypt = ({ key }: KeyAndIv, bytes: Uint8Array): Buffer => {
    const next = keystream(key);
    return Buffer.from(bytes.map((byte) => byte ^ next()));
  };
  return { keyBytes: keyBits / 8, blockBytes: 0, encrypt: crypt, decrypt: crypt };
}

/** @see RFC 6229 for test vectors */
function keystream(key: Buffer): () => number {
  const states = Uint8Array.from({ length: RC4_STATES }, (_, index) => index);
  const at = (index: number): number => states[index % RC4_STATES] ?? 0;
  const swap = (one: number, other: number): void => {
    [states[one], states[other]] = [at(other), at(one)];
  };
  let j = 0;
  for (let i = 0; i < RC4_STATES; i += 1) {
    j = (j + at(i) + (key[i % key.length] ?? 0)) % RC4_STATES;
    swap(i, j);
  }
  let i = 0;
  j = 0;
  return () => {
    i = (i + 1) % RC4_STATES;
    j = (j + at(i)) % RC4_STATES;
    swap(i, j);
    return at(at(i) + at(j));
  };
}
