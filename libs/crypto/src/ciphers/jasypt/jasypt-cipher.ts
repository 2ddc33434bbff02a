// Reads and writes the texts of Jasypt's password-based encryption.
import { isUtf8 } from 'node:buffer';
import { randomBytes } from 'node:crypto';
import { CryptoError } from '../../crypto-error.js';
import { bytesOfBase64 } from '../../strict-decoding.js';
import { undecryptable, type Cipher } from '../cipher.js';
import { jasyptAlgorithm, type PasswordBasedCipher } from './jasypt-algorithms.js';
import type { DerivedKey } from './password-derivations.js';

const DEFAULT_ITERATIONS = 1000;
const MAX_ITERATIONS = 10_000_000;
const PROVIDERS = ['', 'SUNJCE', 'BC'];

/** Jasypt's sizes for ciphers without a block size. */
const STREAM_SALT_BYTES = 8;
const STREAM_IV_BYTES = 16;

export interface JasyptOptions {
  /** One of `JASYPT_ALGORITHMS`, in any case. */
  readonly algorithm: string;
  readonly password: string;
  /** 1 to 10,000,000; the default is Jasypt's 1,000. */
  readonly iterations?: number | undefined;
  /** Whether Jasypt used an IV generator; by default, whether the algorithm needs one. */
  readonly hasIvGenerator?: boolean | undefined;
  /** `SunJCE`, `BC` or empty: where both have an algorithm, they are compatible. */
  readonly provider?: string | undefined;
}

/**
 * Texts are the Base64 of salt ‖ stored IV, if any ‖ ciphertext.
 *
 * No algorithm is authenticated: an altered text, or one of another password, may decrypt to other bytes.
 *
 * @see http://www.jasypt.org/encrypting-texts.html
 */
export class JasyptCipher implements Cipher {
  /** Private, so that printing the cipher does not reveal it. */
  readonly #password: Buffer;

  private constructor(
    private readonly algorithm: PasswordBasedCipher,
    password: Buffer,
    private readonly iterations: number,
    private readonly storesIv: boolean,
  ) {
    this.#password = password;
  }

  /** @throws CryptoError CIPHER_UNSUPPORTED or KEY_UNUSABLE, naming the invalid option */
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

  /** Whether the algorithm is only fit for decrypting old values. */
  get isLegacy(): boolean {
    return this.algorithm.isLegacy;
  }

  async encrypt(plain: Uint8Array): Promise<string> {
    const header = randomBytes(this.headerBytes);
    const { key, iv = header.subarray(this.saltBytes) } = await this.derive(header);
    if (this.storesIv) {
      // Older releases of Bouncy Castle derive the IV and newer ones read it: both get the same.
      iv.copy(header, this.saltBytes);
    }
    const encrypted = await this.algorithm.bulk.encrypt({ key, iv }, plain);
    return Buffer.concat([header, encrypted]).toString('base64');
  }

  async decrypt(text: string): Promise<Buffer> {
    const stored = this.decode(text);
    // A malformed text costs as much as a valid one, so that the time does not reveal what was wrong.
    const bytes = stored ?? randomBytes(this.headerBytes + this.algorithm.bulk.blockBytes);
    const header = bytes.subarray(0, this.headerBytes);
    const plains = await this.decryptWithEachIv(header, bytes.subarray(this.headerBytes));
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

  /** The bytes of a text; `undefined` for invalid Base64 or an invalid length. */
  private decode(text: string): Buffer | undefined {
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

  /** Decrypts with the derived IV and with the stored one; omits results with invalid padding. */
  private async decryptWithEachIv(header: Buffer, encrypted: Buffer): Promise<readonly Buffer[]> {
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
        // A wrong password or a malformed text. The caller reports both with the same error.
      }
    }
    return plains;
  }
}

function unsupported(message: string): CryptoError {
  return new CryptoError('CIPHER_UNSUPPORTED', message);
}
