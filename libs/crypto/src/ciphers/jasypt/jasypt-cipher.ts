// Jasypt's password-based encryption: how a text is laid out. Algorithms are in jasypt-algorithms.ts.
import { isUtf8 } from 'node:buffer';
import { randomBytes } from 'node:crypto';
import { CryptoError } from '../../crypto-error.js';
import { bytesOfBase64 } from '../../schemes/base64.js';
import { undecryptable, type Cipher } from '../cipher.js';
import { jasyptAlgorithm, type PasswordBasedCipher } from './jasypt-algorithms.js';
import type { DerivedKey } from './password-derivation.js';

const DEFAULT_ITERATIONS = 1000;
const MAX_ITERATIONS = 10_000_000;
const PROVIDERS = ['', 'SUNJCE', 'BC'];

/** What Jasypt generates where the cipher says nothing of a block. */
const STREAM_SALT_BYTES = 8;
const STREAM_IV_BYTES = 16;

export interface JasyptOptions {
  /** One of `JASYPT_ALGORITHMS`, in any case. */
  readonly algorithm: string;
  readonly password: string;
  /** 1 to 10,000,000; 1,000 where not given, as with Jasypt. */
  readonly iterations?: number | undefined;
  /** Whether Jasypt had an IV generator; where not given, whether the algorithm needs one. */
  readonly hasIvGenerator?: boolean | undefined;
  /** `SunJCE`, `BC` or empty: where both have an algorithm, they agree about it. */
  readonly provider?: string | undefined;
}

/**
 * Reads and writes Base64 of salt, stored initialization vector if any, and ciphertext.
 *
 * None of the algorithms notices every change: a text that was tampered with, or another password's,
 * may be read as other bytes.
 *
 * @see http://www.jasypt.org/encrypting-texts.html
 */
export class JasyptCipher implements Cipher {
  /** Hidden from whatever prints the cipher. */
  readonly #password: Buffer;

  private constructor(
    private readonly algorithm: PasswordBasedCipher,
    password: Buffer,
    private readonly iterations: number,
    private readonly storesIv: boolean,
  ) {
    this.#password = password;
  }

  /** @throws CryptoError CIPHER_UNSUPPORTED or KEY_UNUSABLE, naming the option at fault */
  static open(options: JasyptOptions): JasyptCipher {
    const { password, iterations = DEFAULT_ITERATIONS, provider = '' } = options;
    const algorithm = jasyptAlgorithm(options.algorithm);
    const { hasIvGenerator = algorithm.needsStoredIv } = options;
    if (!PROVIDERS.includes(provider.toUpperCase())) {
      throw unsupported(
        `the provider ${JSON.stringify(provider)} is not supported: SunJCE or BC is`,
      );
    }
    if (!Number.isInteger(iterations) || iterations < 1 || iterations > MAX_ITERATIONS) {
      throw unsupported(`iterations must be a whole number from 1 to ${MAX_ITERATIONS}`);
    }
    if (algorithm.needsStoredIv && !hasIvGenerator) {
      throw unsupported(`${algorithm.name} needs an IV generator: RandomIvGenerator`);
    }
    if (password === '') {
      throw new CryptoError('KEY_UNUSABLE', 'the password of a cipher must not be empty');
    }
    const bytes = algorithm.derivation.encode(password.normalize('NFC'));
    return new JasyptCipher(algorithm, bytes, iterations, hasIvGenerator);
  }

  /** Fit for reading what is there, not for writing more. */
  get isLegacy(): boolean {
    return this.algorithm.isLegacy;
  }

  async encrypt(plain: Uint8Array): Promise<string> {
    const header = randomBytes(this.headerBytes);
    const { key, iv = header.subarray(this.saltBytes) } = await this.derive(header);
    if (this.storesIv) {
      // Older releases of Bouncy Castle derive the vector, newer ones read it: both find the same.
      iv.copy(header, this.saltBytes);
    }
    const encrypted = await this.algorithm.bulk.encrypt({ key, iv }, plain);
    return Buffer.concat([header, encrypted]).toString('base64');
  }

  async decrypt(text: string): Promise<Buffer> {
    const stored = this.read(text);
    // What is no text costs as much as one, so that the clock does not tell what was wrong.
    const bytes = stored ?? randomBytes(this.headerBytes + this.algorithm.bulk.blockBytes);
    const header = bytes.subarray(0, this.headerBytes);
    const plains = await this.decipher(header, bytes.subarray(this.headerBytes));
    const plain = plains.find((candidate) => isUtf8(candidate)) ?? plains[0];
    if (!stored || !plain) {
      throw undecryptable();
    }
    return plain;
  }

  private get saltBytes(): number {
    return this.algorithm.bulk.blockBytes || STREAM_SALT_BYTES;
  }

  private get headerBytes(): number {
    const ivBytes = this.algorithm.bulk.blockBytes || STREAM_IV_BYTES;
    return this.saltBytes + (this.storesIv ? ivBytes : 0);
  }

  /** The bytes of a text whose length is right. */
  private read(text: string): Buffer | undefined {
    const bytes = bytesOfBase64(text.replace(/\s+/g, ''));
    const { blockBytes } = this.algorithm.bulk;
    const size = (bytes?.length ?? 0) - this.headerBytes;
    const fits = blockBytes === 0 ? size >= 0 : size > 0 && size % blockBytes === 0;
    return fits ? bytes : undefined;
  }

  private derive(header: Buffer): Promise<DerivedKey> {
    const { derivation, bulk } = this.algorithm;
    return derivation.derive({
      password: this.#password,
      salt: header.subarray(0, this.saltBytes),
      iterations: this.iterations,
      keyBytes: bulk.keyBytes,
      ivBytes: bulk.blockBytes,
    });
  }

  /** What the derived vector gives, then what the stored one does, if their padding is right. */
  private async decipher(header: Buffer, encrypted: Buffer): Promise<readonly Buffer[]> {
    const { bulk } = this.algorithm;
    const { key, iv: derived } = await this.derive(header);
    const stored =
      bulk.blockBytes > 0 && this.storesIv ? header.subarray(this.saltBytes) : undefined;
    const plains: Buffer[] = [];
    for (const iv of [derived, stored]) {
      try {
        if (iv) {
          plains.push(await bulk.decrypt({ key, iv }, encrypted));
        }
      } catch {
        // Another password's, or no text of Jasypt's: the caller refuses both with the same words.
      }
    }
    return plains;
  }
}

function unsupported(message: string): CryptoError {
  return new CryptoError('CIPHER_UNSUPPORTED', message);
}
