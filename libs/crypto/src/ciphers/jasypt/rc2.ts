// RC2, which OpenSSL 3 no longer offers: node-forge has it, and is loaded when a value needs it.
import type { BulkCipher, KeyAndIv } from './bulk-cipher.js';

const BLOCK_BYTES = 8;

/** Cipher block chaining with the padding of PKCS #7. @see RFC 2268 */
export function rc2(keyBits: 40 | 64 | 128): BulkCipher {
  return {
    keyBytes: keyBits / 8,
    blockBytes: BLOCK_BYTES,
    encrypt: (secret, plain) => crypt('createEncryptionCipher', secret, plain),
    decrypt: async (secret, encrypted) =>
      withoutPadding(await crypt('createDecryptionCipher', secret, encrypted)),
  };
}

async function crypt(
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

/** Checked here, because node-forge takes most of what is no padding for one. */
function withoutPadding(bytes: Buffer): Buffer {
  const size = bytes.at(-1) ?? 0;
  const padding = bytes.subarray(-size);
  if (size < 1 || size > BLOCK_BYTES || padding.some((byte) => byte !== size)) {
    throw new Error('bad padding');
  }
  return bytes.subarray(0, -size);
}

function binary(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('latin1');
}
