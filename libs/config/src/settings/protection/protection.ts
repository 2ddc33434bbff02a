// Decrypts protected values of settings; the form of the text selects the key.
import { isUtf8 } from 'node:buffer';
import { resolve } from 'node:path';
import {
  CryptoError,
  formOf,
  JasyptCipher,
  KeyRing,
  passwordRingKey,
  selectorsOf,
  type Cipher,
  type RingKey,
} from '@tessera/crypto';
import { catchCryptoError } from '../catch-crypto-error.js';
import { keyOfFile } from '../encryption/configured-keys.js';
import type { ReportedViolation } from '../violation.js';
import { readSecretFile } from '../sources/secret-file.js';
import type { StandaloneSecurity } from './standalone-security.js';

/** The default of Apereo CAS. */
const DEFAULT_ALGORITHM = 'PBEWithMD5AndTripleDES';
const ENVELOPE_ALGORITHM = 'AES-256-GCM';

export interface ProtectionOptions {
  /** The base of relative paths. */
  readonly base: string;
  /** Whether a password that begins with `@` is the path of a file. */
  readonly isReference: boolean;
}

export class Protection {
  private constructor(
    /** Also encrypts what sources save on disk. */
    readonly keys: KeyRing,
    private readonly passwordBased: Cipher | undefined,
    /** Whether only authenticated ciphertexts are accepted. */
    private readonly isStrict: boolean,
    /** The files with the keys and the password. */
    readonly files: readonly string[],
  ) {}

  static async open(
    settings: StandaloneSecurity,
    place: ProtectionOptions,
  ): Promise<{
    readonly protection?: Protection;
    readonly violations: readonly ReportedViolation[];
  }> {
    const { algorithm, iterations, provider, hasIvGenerator, salt } = settings;
    const files = await catchCryptoError('sso.standalone.security.key-files', () =>
      keysOf(settings, place.base),
    );
    const secret = await catchCryptoError('sso.standalone.security.password', () =>
      passwordOf(settings, place),
    );
    const password = secret.result;
    const jasypt = await catchCryptoError('sso.standalone.security.algorithm', () => {
      if (password === undefined || isEnvelope(algorithm)) return undefined;
      const name = algorithm || DEFAULT_ALGORITHM;
      return JasyptCipher.open({ algorithm: name, password, iterations, provider, hasIvGenerator });
    });
    const violations = [files, secret, jasypt].flatMap((each) => each.violations);
    const keys = [...(files.result ?? [])];
    if (password !== undefined) {
      keys.push(await passwordRingKey({ alias: 'password', password, salt, format: 'aes-gcm' }));
    }
    if (violations.length > 0 || keys.length === 0) return { violations };
    const ring = new KeyRing(keys);
    const read = filesOf(settings, place);
    const protection = new Protection(ring, jasypt.result, isEnvelope(algorithm), read);
    return { protection, violations };
  }

  /**
   * @param protectedText without `{cipher}`
   * @throws CryptoError TEXT_UNDECRYPTABLE, SELECTOR_UNKNOWN
   */
  async decrypt(protectedText: string): Promise<string> {
    const { alias, rest } = selectorsOf(protectedText.trim());
    const form = formOf(rest);
    if (this.isStrict && !form.startsWith('v1.')) {
      throw new CryptoError('TEXT_UNDECRYPTABLE', 'a text of another algorithm');
    }
    const isOfRing = alias !== undefined || form !== 'base64';
    const plain =
      isOfRing || this.passwordBased === undefined
        ? await this.keys.decrypt(protectedText.trim())
        : await this.passwordBased.decrypt(rest);
    if (!isUtf8(plain)) throw new CryptoError('TEXT_UNDECRYPTABLE', 'no text was decrypted');
    return plain.toString();
  }
}

function isEnvelope(algorithm: string): boolean {
  return algorithm.toUpperCase() === ENVELOPE_ALGORITHM;
}

function filesOf(settings: StandaloneSecurity, { base, isReference }: ProtectionOptions): string[] {
  const given = settings.password?.reveal() ?? '';
  const references = isReference && given.startsWith('@') ? [given.slice(1)] : [];
  return [...settings.keyFiles, ...references].map((path) => resolve(base, path));
}

function keysOf(settings: StandaloneSecurity, base: string): Promise<RingKey[]> {
  return Promise.all(settings.keyFiles.map((path) => keyOfFile(resolve(base, path), settings)));
}

async function passwordOf(
  { password }: StandaloneSecurity,
  { base, isReference }: ProtectionOptions,
): Promise<string | undefined> {
  const given = password?.reveal();
  if (given === undefined || given === '') return undefined;
  if (!isReference || !given.startsWith('@')) return given;
  const path = resolve(base, given.slice(1));
  try {
    return await readSecretFile(path, false);
  } catch (error) {
    // A password may begin with @: then this is not a path and must not be quoted.
    const reason = (error as Error).message.replaceAll(path, 'the file');
    throw new CryptoError('KEY_UNUSABLE', `is @ and a path, and ${reason}`);
  }
}
