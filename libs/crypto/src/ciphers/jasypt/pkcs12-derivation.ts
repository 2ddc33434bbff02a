// The derivation of PKCS #12: key and initialization vector, each with its own diversifier.
import { hash } from 'node:crypto';
import { iterateDigest } from './iterated-digest.js';
import type { DerivationRequest, PasswordDerivation } from './password-derivation.js';

/** What SHA-1 and SHA-256 work through at once: "v" of the standard, in bytes. */
const BLOCK_BYTES = 64;
const KEY = 1;
const IV = 2;

/** @see RFC 7292 appendix B */
export function pkcs12(digest: 'sha1' | 'sha256'): PasswordDerivation {
  return {
    encode: bmpString,
    derive: async (request) => ({
      key: await derive(digest, KEY, request.keyBytes, request),
      iv: await derive(digest, IV, request.ivBytes, request),
    }),
  };
}

/** UTF-16, big end first, and closed by a NUL. */
function bmpString(password: string): Buffer {
  return Buffer.from(`${password}\0`, 'utf16le').swap16();
}

async function derive(
  digest: string,
  purpose: typeof KEY | typeof IV,
  size: number,
  { password, salt, iterations }: DerivationRequest,
): Promise<Buffer> {
  const next = (bytes: Buffer): Buffer => hash(digest, bytes, 'buffer');
  const diversifier = Buffer.alloc(BLOCK_BYTES, purpose);
  const input = Buffer.concat([wholeBlocks(salt), wholeBlocks(password)]);
  let derived = Buffer.alloc(0);
  while (derived.length < size) {
    const part = await iterateDigest(Buffer.concat([diversifier, input]), iterations, next);
    derived = Buffer.concat([derived, part]);
    addToEachBlock(input, Buffer.alloc(BLOCK_BYTES, part));
  }
  return derived.subarray(0, size);
}

/** Repeated until it fills blocks. */
function wholeBlocks(bytes: Buffer): Buffer {
  return Buffer.alloc(Math.ceil(bytes.length / BLOCK_BYTES) * BLOCK_BYTES, bytes);
}

/** Block + addend + 1, modulo the size of a block. */
function addToEachBlock(blocks: Buffer, addend: Buffer): void {
  for (let start = 0; start < blocks.length; start += BLOCK_BYTES) {
    let carry = 1;
    for (let index = BLOCK_BYTES - 1; index >= 0; index -= 1) {
      carry += blocks.readUInt8(start + index) + addend.readUInt8(index);
      blocks.writeUInt8(carry & 0xff, start + index);
      carry >>= 8;
    }
  }
}
