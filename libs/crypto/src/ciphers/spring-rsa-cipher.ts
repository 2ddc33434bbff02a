// Spring's RSA encryptor: a session under the RSA key, and the value under the session. For values
// that other software wrote or reads.
import { randomBytes, type KeyObject } from 'node:crypto';
import { bytesOfBase64 } from '../schemes/base64.js';
import { aesCbc, aesGcm, type Aes } from './aes.js';
import { undecryptable, type Cipher } from './cipher.js';
import { bytesOfHex } from './hex.js';
import { RsaSessions, SESSION_BYTES, type RsaPadding } from './rsa-sessions.js';
import { weakBitsOf } from './rsa-strength.js';
import { springKey, usableSalt } from './spring-key.js';

const LENGTH_BYTES = 2;

export interface SpringRsaOptions {
  readonly padding: RsaPadding;
  /** GCM for the value instead of CBC, which nothing authenticates. */
  readonly strong: boolean;
  /** Read as hexadecimal where it is, else as text; `deadbeef` where Spring is told none. */
  readonly salt: string;
}

/**
 * Texts are the Base64 of: length of the block (16 bits, big-endian) ‖ block ‖ IV (16 bytes) ‖
 * ciphertext, then if strong a tag (16 bytes). They are read with white space in them, and without
 * their padding.
 *
 * Each text costs an RSA operation, which blocks the event loop (a millisecond or two with 2048 bits),
 * and a PBKDF2, which does not.
 *
 * @see spring-security-rsa, RsaSecretEncryptor
 */
export class SpringRsaCipher implements Cipher {
  /** Of a key that is too short for new values; what it wrote is read all the same. */
  readonly weakBits: number | undefined;
  private readonly sessions: RsaSessions;
  private readonly aes: Aes;
  private readonly salt: Buffer;

  /**
   * @param key private, or public for a cipher that writes and refuses to read
   * @throws CryptoError KEY_UNUSABLE for another kind of key, a modulus below 1024 bits, an empty salt
   */
  constructor(key: KeyObject, { padding, strong, salt }: SpringRsaOptions) {
    this.sessions = new RsaSessions(key, padding);
    this.weakBits = weakBitsOf(key);
    this.aes = strong ? aesGcm(16) : aesCbc;
    this.salt = usableSalt(bytesOfHex(salt) ?? Buffer.from(salt));
  }

  async encrypt(plain: Uint8Array): Promise<string> {
    const session = randomBytes(SESSION_BYTES);
    const block = this.sessions.seal(session);
    const length = Buffer.alloc(LENGTH_BYTES);
    length.writeUInt16BE(block.length);
    const sealed = this.aes.seal(await this.keyOf(session), plain);
    return Buffer.concat([length, block, sealed]).toString('base64');
  }

  async decrypt(text: string): Promise<Buffer> {
    if (!this.sessions.canOpen) {
      throw undecryptable();
    }
    const { block, sealed } = this.partsOf(text);
    const session = this.sessions.open(block);
    const key = await this.keyOf(session ?? Buffer.alloc(SESSION_BYTES));
    const plain = this.aes.open(key, sealed);
    if (!session || !plain) {
      throw undecryptable();
    }
    return plain;
  }

  /** Without a block, where the text has not the form: no session opens that, and the rest goes on. */
  private partsOf(text: string): { block: Buffer; sealed: Buffer } {
    const digits = text.replaceAll(/\s+/g, '');
    const bytes = bytesOfBase64(digits) ?? Buffer.alloc((digits.length * 3) >>> 2);
    const end = LENGTH_BYTES + this.sessions.blockBytes;
    const isFormed = bytes.length >= end && bytes.readUInt16BE() === this.sessions.blockBytes;
    return {
      block: isFormed ? bytes.subarray(LENGTH_BYTES, end) : Buffer.alloc(0),
      sealed: bytes.subarray(end),
    };
  }

  private keyOf(session: Buffer): Promise<Buffer> {
    return springKey(session.toString('hex'), this.salt);
  }
}
