// The session of Spring's RSA texts: sixteen random bytes under an RSA key, and how they are opened
// without telling anybody whether they were well padded.
import {
  constants,
  createPublicKey,
  privateDecrypt,
  publicEncrypt,
  type KeyObject,
} from 'node:crypto';
import { usableRsaKey } from './rsa-strength.js';

/** As Spring calls them: PKCS#1 v1.5, or OAEP with SHA-1 for both hashes. */
export type RsaPadding = 'DEFAULT' | 'OAEP';

export const SESSION_BYTES = 16;

const PADDINGS = {
  DEFAULT: constants.RSA_PKCS1_PADDING,
  OAEP: constants.RSA_PKCS1_OAEP_PADDING,
};

/** Seals and opens sessions with one RSA key, of which the private half may be missing. */
export class RsaSessions {
  /** What a sealed session has, in bytes: as many as the modulus. */
  readonly blockBytes: number;
  private readonly padding: number;
  private readonly publicKey: KeyObject;
  private readonly modulus: Buffer;

  /** @throws CryptoError KEY_UNUSABLE for what is no RSA key of 1024 bits or more */
  constructor(
    private readonly key: KeyObject,
    padding: RsaPadding,
  ) {
    usableRsaKey(key, 'the key');
    this.padding = PADDINGS[padding];
    this.publicKey = key.type === 'private' ? createPublicKey(key) : key;
    this.modulus = Buffer.from(this.publicKey.export({ format: 'jwk' }).n ?? '', 'base64url');
    this.blockBytes = this.modulus.length;
  }

  get canOpen(): boolean {
    return this.key.type === 'private';
  }

  seal(session: Buffer): Buffer {
    return publicEncrypt({ key: this.publicKey, padding: this.padding }, session);
  }

  /**
   * `undefined` where the block holds no session, after the work of opening one. Of PKCS#1 v1.5 this
   * says nothing about the padding: OpenSSL 3.2 answers a bad one with other bytes, which only this
   * block and this key give and whose length is as random (Node refuses an OpenSSL without that). A
   * caller must do the same with a session and without one, or it is the oracle.
   *
   * @see draft-irtf-cfrg-rsa-guidance, implicit rejection
   */
  open(block: Buffer): Buffer | undefined {
    const isBlock = block.length === this.blockBytes && block.compare(this.modulus) < 0;
    const session = this.decrypt(isBlock ? block : this.standIn());
    return isBlock && session?.length === SESSION_BYTES ? session : undefined;
  }

  private decrypt(block: Buffer): Buffer | undefined {
    try {
      return privateDecrypt({ key: this.key, padding: this.padding }, block);
    } catch {
      return undefined;
    }
  }

  /** Below every modulus of this size, so that the platform does the whole work on it; on zero it would do less. */
  private standIn(): Buffer {
    return Buffer.alloc(this.blockBytes, 0xff).fill(0, 0, 1);
  }
}
