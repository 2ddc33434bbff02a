// Owns how protected values of settings are decrypted: with which key, by the looks of the text. Where in the settings they
// stand is next door.
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
import { attempt } from '../attempt.js';
import { keyOfFile } from '../encryption/configured-keys.js';
import type { Problem } from '../problem.js';
import { readSecretText } from '../sources/secret-text.js';
import type { StandaloneSecurity } from './standalone-security.js';

/** What old files were written with where nobody said otherwise. */
const DEFAULT_ALGORITHM = 'PBEWithMD5AndTripleDES';
const ENVELOPE_ALGORITHM = 'AES-256-GCM';

/** Where the settings of the protection stand. */
export interface ProtectionPlace {
  /** What relative paths are relative to. */
  readonly base: string;
  /** Whether a password that begins with `@` is the path of a file that holds it. */
  readonly isReference: boolean;
}

export class Protection {
  private constructor(
    /** What is kept on this machine can be protected with it too. */
    readonly keys: KeyRing,
    private readonly passwordBased: Cipher | undefined,
    /** Whether values that nothing authenticates are refused. */
    private readonly isStrict: boolean,
    /** That it was read from. */
    readonly files: readonly string[],
  ) {}

  static async open(
    settings: StandaloneSecurity,
    place: ProtectionPlace,
  ): Promise<{ readonly protection?: Protection; readonly problems: readonly Problem[] }> {
    const { algorithm, iterations, provider, hasIvGenerator, salt } = settings;
    const files = await attempt('sso.standalone.security.key-files', () =>
      keysOf(settings, place.base),
    );
    const secret = await attempt('sso.standalone.security.password', () =>
      passwordOf(settings, place),
    );
    const password = secret.result;
    const jasypt = await attempt('sso.standalone.security.algorithm', () => {
      if (password === undefined || isEnvelope(algorithm)) return undefined;
      const name = algorithm || DEFAULT_ALGORITHM;
      return JasyptCipher.open({ algorithm: name, password, iterations, provider, hasIvGenerator });
    });
    const problems = [files, secret, jasypt].flatMap((each) => each.problems);
    const keys = [...(files.result ?? [])];
    if (password !== undefined) {
      keys.push(await passwordRingKey({ alias: 'password', password, salt, format: 'aes-gcm' }));
    }
    if (problems.length > 0 || keys.length === 0) return { problems };
    const ring = new KeyRing(keys);
    const read = filesOf(settings, place);
    const protection = new Protection(ring, jasypt.result, isEnvelope(algorithm), read);
    return { protection, problems };
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

function filesOf(settings: StandaloneSecurity, { base, isReference }: ProtectionPlace): string[] {
  const given = settings.password?.reveal() ?? '';
  const references = isReference && given.startsWith('@') ? [given.slice(1)] : [];
  return [...settings.keyFiles, ...references].map((path) => resolve(base, path));
}

function keysOf(settings: StandaloneSecurity, base: string): Promise<RingKey[]> {
  return Promise.all(settings.keyFiles.map((path) => keyOfFile(resolve(base, path), settings)));
}

async function passwordOf(
  { password }: StandaloneSecurity,
  { base, isReference }: ProtectionPlace,
): Promise<string | undefined> {
  const given = password?.reveal();
  if (given === undefined || given === '') return undefined;
  if (!isReference || !given.startsWith('@')) return given;
  const path = resolve(base, given.slice(1));
  try {
    return await readSecretText(path, false);
  } catch (error) {
    // Somebody's password may begin with @: then this is no path, and is not quoted.
    const reason = (error as Error).message.replaceAll(path, 'the file');
    throw new CryptoError('KEY_UNUSABLE', `is @ and a path, and ${reason}`);
  }
}
