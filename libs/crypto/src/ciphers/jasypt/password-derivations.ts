// The key derivations of Jasypt's algorithms: PBKDF1, PBKDF2, PKCS #12 and the JDK's variant for Triple DES.
import { hash, pbkdf2 as deriveBits } from 'node:crypto';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { promisify } from 'node:util';

export interface DerivationRequest {
  /** The result of `encode`. */
  readonly password: Buffer;
  readonly salt: Buffer;
  readonly iterations: number;
  readonly keyBytes: number;
  readonly ivBytes: number;
}

export interface DerivedKey {
  readonly key: Buffer;
  /** Absent where the text stores it. */
  readonly iv?: Buffer;
}

export interface PasswordDerivation {
  /** Java's derivations encode passwords differently. */
  encode(password: string): Buffer;
  /** Does not block the event loop. */
  derive(request: DerivationRequest): Promise<DerivedKey>;
}

const derivePbkdf2 = promisify(deriveBits);

/** PBKDF2 in the thread pool. @see RFC 8018 §5.2, §6.2 */
export function pbkdf2(digest: string): PasswordDerivation {
  return {
    encode: (password) => Buffer.from(password, 'utf8'),
    derive: async ({ password, salt, iterations, keyBytes }) => ({
      key: await derivePbkdf2(password, salt, iterations, keyBytes, digest),
    }),
  };
}

/**
 * PBKDF1. As in Bouncy Castle, a password outside Latin-1 counts by the low byte of each UTF-16 unit; the
 * JDK accepts only ASCII.
 *
 * @see RFC 8018 §5.1, §6.1
 */
export function pbkdf1(digest: 'md5' | 'sha1'): PasswordDerivation {
  const next = (bytes: Buffer): Buffer => hash(digest, bytes, 'buffer');
  return {
    encode: latin1,
    derive: async ({ password, salt, iterations, ...sizes }) =>
      keyThenIv(await iterateDigest(Buffer.concat([password, salt]), iterations, next), sizes),
  };
}

/** The JDK's PBEWithMD5AndTripleDES: each half of the salt gives half of key and IV. */
export const tripleDesOfJdk: PasswordDerivation = {
  encode: latin1,
  derive: async ({ password, salt, iterations, ...sizes }) => {
    const next = (bytes: Buffer): Buffer => hash('md5', Buffer.concat([bytes, password]), 'buffer');
    const halves = distinctHalves(salt).map((half) => iterateDigest(half, iterations, next));
    return keyThenIv(Buffer.concat(await Promise.all(halves)), sizes);
  },
};

function latin1(password: string): Buffer {
  return Buffer.from(password, 'latin1');
}

function keyThenIv(
  bytes: Buffer,
  { keyBytes, ivBytes }: Pick<DerivationRequest, 'keyBytes' | 'ivBytes'>,
): DerivedKey {
  return { key: bytes.subarray(0, keyBytes), iv: bytes.subarray(keyBytes, keyBytes + ivBytes) };
}

/** Reverses the first of two equal halves, so that they give different results. */
function distinctHalves(salt: Buffer): readonly Buffer[] {
  const first = salt.subarray(0, 4);
  const second = salt.subarray(4);
  return first.equals(second) ? [Buffer.from(first.toReversed()), second] : [first, second];
}

/** The block size of SHA-1 and SHA-256, "v" in the standard. */
const DIGEST_BLOCK_BYTES = 64;
const KEY_PURPOSE = 1;
const IV_PURPOSE = 2;

/** The key and the IV, each derived with its own diversifier. @see RFC 7292 appendix B */
export function pkcs12(digest: 'sha1' | 'sha256'): PasswordDerivation {
  return {
    encode: bmpString,
    derive: async (request) => ({
      key: await derivePkcs12(digest, KEY_PURPOSE, request.keyBytes, request),
      iv: await derivePkcs12(digest, IV_PURPOSE, request.ivBytes, request),
    }),
  };
}

/** UTF-16, big-endian, with a trailing NUL. */
function bmpString(password: string): Buffer {
  return Buffer.from(`${password}\0`, 'utf16le').swap16();
}

async function derivePkcs12(
  digest: string,
  purpose: typeof KEY_PURPOSE | typeof IV_PURPOSE,
  size: number,
  { password, salt, iterations }: DerivationRequest,
): Promise<Buffer> {
  const next = (bytes: Buffer): Buffer => hash(digest, bytes, 'buffer');
  const diversifier = Buffer.alloc(DIGEST_BLOCK_BYTES, purpose);
  const input = Buffer.concat([repeatedToBlocks(salt), repeatedToBlocks(password)]);
  let derived = Buffer.alloc(0);
  while (derived.length < size) {
    const part = await iterateDigest(Buffer.concat([diversifier, input]), iterations, next);
    derived = Buffer.concat([derived, part]);
    addToEachBlock(input, Buffer.alloc(DIGEST_BLOCK_BYTES, part));
  }
  return derived.subarray(0, size);
}

/** Repeats the bytes to fill whole blocks. */
function repeatedToBlocks(bytes: Buffer): Buffer {
  return Buffer.alloc(Math.ceil(bytes.length / DIGEST_BLOCK_BYTES) * DIGEST_BLOCK_BYTES, bytes);
}

/** Block + addend + 1, modulo the size of a block. */
function addToEachBlock(blocks: Buffer, addend: Buffer): void {
  for (let start = 0; start < blocks.length; start += DIGEST_BLOCK_BYTES) {
    let carry = 1;
    for (let index = DIGEST_BLOCK_BYTES - 1; index >= 0; index -= 1) {
      carry += blocks.readUInt8(start + index) + addend.readUInt8(index);
      blocks.writeUInt8(carry & 0xff, start + index);
      carry >>= 8;
    }
  }
}

/** About 2 ms of work. */
const ROUNDS_PER_TURN = 2000;

/** Applies `next` `rounds` times. Node has no asynchronous form, so this yields to the event loop. */
async function iterateDigest(
  first: Buffer,
  rounds: number,
  next: (digest: Buffer) => Buffer,
): Promise<Buffer> {
  let digest = first;
  for (let round = 1; round <= rounds; round += 1) {
    digest = next(digest);
    if (round % ROUNDS_PER_TURN === 0) {
      await yieldToEventLoop();
    }
  }
  return digest;
}
