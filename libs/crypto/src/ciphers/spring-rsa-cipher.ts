// Spring's RSA encryptor: RSA encrypts a random session key, AES encrypts the value with it.
import {
  constants,
  createPublicKey,
  type KeyObject,
  privateDecrypt,
  publicEncrypt,
  randomBytes,
} from 'node:crypto';
import { bytesOfBase64, bytesOfHex } from '../strict-decoding.js';
import { type Aes, aesCbc, aesGcm } from './aes.js';
import { type Cipher, undecryptable } from './cipher.js';
import { requireUsableRsaKey, weakBitsOf } from './rsa-key.js';
import { requireSalt, springKey } from './spring-text-cipher.js';

const LENGTH_BYTES = 2;

export interface SpringRsaOptions {
  readonly padding: RsaPadding;
  /** Encrypts the value with GCM instead of CBC, which is not authenticated. */
  readonly strong: boolean;
  /** Hexadecimal, or else text; Spring's default is `deadbeef`. */
  readonly salt: string;
}

/**
 * Texts are the Base64 of: length of the block (16 bits, big-endian) ‖ block ‖ IV (16 bytes) ‖
 * ciphertext, then if strong a tag (16 bytes). Decryption ignores white space and missing padding.
 *
 * Each text costs an RSA operation, which blocks the event loop (1 to 2 ms with 2048 bits), and a PBKDF2
 * in the thread pool.
 *
 * @see spring-security-rsa, RsaSecretEncryptor
 */
export class SpringRsaCipher implements Cipher {
  /** The length of a key that is too short for new values; it still decrypts. */
  readonly weakBits: number | undefined;
  private readonly sessions: RsaSessionKeys;
  private readonly aes: Aes;
  private readonly salt: Buffer;

  /**
   * @param key private, or public for a cipher that only encrypts
   * @throws CryptoError KEY_UNUSABLE for another kind of key, a modulus below 1024 bits, an empty salt
   */
  constructor(key: KeyObject, { padding, strong, salt }: SpringRsaOptions) {
    this.sessions = new RsaSessionKeys(key, padding);
    this.weakBits = weakBitsOf(key);
    this.aes = strong ? aesGcm(16) : aesCbc;
    this.salt = requireSalt(bytesOfHex(salt) ?? Buffer.from(salt));
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
    if (!this.sessions.canDecrypt) {
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

  /** The block is empty for a malformed text, so that decryption does the same work and then fails. */
  private partsOf(text: string): { block: Buffer; sealed: Buffer } {
    const digits = text.replaceAll(/\s+/g, '');
    const bytes = bytesOfBase64(digits) ?? Buffer.alloc((digits.length * 3) >>> 2);
    const end = LENGTH_BYTES + this.sessions.blockBytes;
    const isWellFormed = bytes.length >= end && bytes.readUInt16BE() === this.sessions.blockBytes;
    return {
      block: isWellFormed ? bytes.subarray(LENGTH_BYTES, end) : Buffer.alloc(0),
      sealed: bytes.subarray(end),
    };
  }

  private keyOf(session: Buffer): Promise<Buffer> {
    return springKey(session.toString('hex'), this.salt);
  }
}

/** Spring's names: PKCS#1 v1.5, or OAEP with SHA-1 for both hashes. */
export type RsaPadding = 'DEFAULT' | 'OAEP';

const SESSION_BYTES = 16;

const PADDINGS = {
  DEFAULT: constants.RSA_PKCS1_PADDING,
  OAEP: constants.RSA_PKCS1_OAEP_PADDING,
};

/** Encrypts and decrypts session keys with one RSA key. */
class RsaSessionKeys {
  /** The size of an encrypted session key in bytes: that of the modulus. */
  readonly blockBytes: number;
  private readonly padding: number;
  private readonly publicKey: KeyObject;
  private readonly modulus: Buffer;

  /** @throws CryptoError KEY_UNUSABLE unless it is an RSA key of at least 1024 bits */
  constructor(
    private readonly key: KeyObject,
    padding: RsaPadding,
  ) {
    requireUsableRsaKey(key, 'the key');
    this.padding = PADDINGS[padding];
    this.publicKey = key.type === 'private' ? createPublicKey(key) : key;
    this.modulus = Buffer.from(this.publicKey.export({ format: 'jwk' }).n ?? '', 'base64url');
    this.blockBytes = this.modulus.length;
  }

  get canDecrypt(): boolean {
    return this.key.type === 'private';
  }

  seal(session: Buffer): Buffer {
    return publicEncrypt({ key: this.publicKey, padding: this.padding }, session);
  }

  /**
   * The session key, or `undefined` after the same work for an invalid block.
   *
   * With PKCS#1 v1.5 the result does not reveal bad padding. OpenSSL 3.2 then returns random bytes of
   * random length, which are the same for each block and key; Node requires such an OpenSSL. To not
   * become a padding oracle, callers must do the same work with and without a session key.
   *
   * @see draft-irtf-cfrg-rsa-guidance, implicit rejection
   */
  open(block: Buffer): Buffer | undefined {
    const isBlock = block.length === this.blockBytes && block.compare(this.modulus) < 0;
    const session = this.decrypt(isBlock ? block : this.dummyBlock());
    return isBlock && session?.length === SESSION_BYTES ? session : undefined;
  }

  private decrypt(block: Buffer): Buffer | undefined {
    try {
      return privateDecrypt({ key: this.key, padding: this.padding }, block);
    } catch {
      return undefined;
    }
  }

  /** Smaller than every modulus of this size, so that OpenSSL does the full work; zero would take less. */
  private dummyBlock(): Buffer {
    return Buffer.alloc(this.blockBytes, 0xff).fill(0, 0, 1);
  }
}
