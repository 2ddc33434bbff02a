// RC4, which OpenSSL 3 no longer offers: to read values of old installations.
import type { BulkCipher, KeyAndIv } from './bulk-cipher.js';

const STATES = 256;

export function rc4(keyBits: 40 | 128): BulkCipher {
  const crypt = ({ key }: KeyAndIv, bytes: Uint8Array): Buffer => {
    const next = keystream(key);
    return Buffer.from(bytes.map((byte) => byte ^ next()));
  };
  return { keyBytes: keyBits / 8, blockBytes: 0, encrypt: crypt, decrypt: crypt };
}

/** @see RFC 6229, whose vectors it gives */
function keystream(key: Buffer): () => number {
  const states = Uint8Array.from({ length: STATES }, (_, index) => index);
  const at = (index: number): number => states[index % STATES] ?? 0;
  const swap = (one: number, other: number): void => {
    [states[one], states[other]] = [at(other), at(one)];
  };
  let j = 0;
  for (let i = 0; i < STATES; i += 1) {
    j = (j + at(i) + (key[i % key.length] ?? 0)) % STATES;
    swap(i, j);
  }
  let i = 0;
  j = 0;
  return () => {
    i = (i + 1) % STATES;
    j = (j + at(i)) % STATES;
    swap(i, j);
    return at(at(i) + at(j));
  };
}
