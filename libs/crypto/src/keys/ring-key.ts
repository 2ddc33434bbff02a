// The kinds of keys on a key ring: the cipher that encrypts with a key, and those that decrypt.
import type { KeyObject } from 'node:crypto';
import type { Cipher } from '../ciphers/cipher.js';
import { deriveKey, EnvelopeCipher, keyId, kidOf } from '../ciphers/envelope-cipher.js';
import { sshPublicKey } from '../ciphers/rsa-key.js';
import { SpringRsaCipher, type SpringRsaOptions } from '../ciphers/spring-rsa-cipher.js';
import { SpringTextCipher } from '../ciphers/spring-text-cipher.js';
import type { EnvelopeKey } from './key-file.js';

/** A key of a `KeyRing`. */
export interface RingKey {
  /** Its name in `{key:…}`, case-insensitive. */
  readonly alias: string;
  /** Encrypts new values. */
  readonly encryptor: Cipher;
  /** Decrypt all that the key may have encrypted, authenticated ciphers first. */
  readonly decryptors: ReadonlyMap<TextForm, readonly Cipher[]>;
  /** Of an RSA key: `ssh-rsa <base64> application`, as in the response of Spring's `/key`. */
  readonly publicKey?: string;
  /** The length of an RSA key that is too short for new values. */
  readonly weakBits?: number | undefined;
}

/** The format of new values: our own, or Spring's in CBC or GCM. */
export type PasswordFormat = 'aes-gcm' | 'spring' | 'spring-gcm';

export interface PasswordKey {
  readonly alias: string;
  readonly password: string;
  /** Pairs of hexadecimal digits. */
  readonly salt: string;
  readonly format: PasswordFormat;
}

/** A key of `EnvelopeCipher`. Its alias is its kid. */
export function envelopeRingKey({ kid, key }: EnvelopeKey): RingKey {
  const encryptor = new EnvelopeCipher(key, kid);
  const decryptors = new Map<TextForm, readonly Cipher[]>([[`v1.${kid}`, [encryptor]]]);
  return { alias: kid, encryptor, decryptors };
}

/**
 * A key from a password, which encrypts in one format and decrypts all of them. Takes about 0.1 s to
 * derive the keys.
 *
 * @throws CryptoError KEY_UNUSABLE where the salt is not hexadecimal
 */
export async function passwordRingKey(options: PasswordKey): Promise<RingKey> {
  const { alias, password, salt, format } = options;
  const [cbc, gcm, key] = await Promise.all([
    SpringTextCipher.open({ password, salt, kind: 'text' }),
    SpringTextCipher.open({ password, salt, kind: 'delux' }),
    deriveKey(password, Buffer.from(salt, 'hex')),
  ]);
  const kid = keyId(key);
  const envelope = new EnvelopeCipher(key, kid);
  key.fill(0);
  const decryptors = new Map<TextForm, readonly Cipher[]>([
    [`v1.${kid}`, [envelope]],
    ['hex', [gcm, cbc]],
  ]);
  const encryptor = { 'aes-gcm': envelope, spring: cbc, 'spring-gcm': gcm }[format];
  return { alias, encryptor, decryptors };
}

/** An RSA key, compatible with Spring. @throws CryptoError KEY_UNUSABLE as {@link SpringRsaCipher} */
export function rsaRingKey(alias: string, key: KeyObject, options: SpringRsaOptions): RingKey {
  const encryptor = new SpringRsaCipher(key, options);
  const decryptors = new Map<TextForm, readonly Cipher[]>([['base64', [encryptor]]]);
  const publicKey = sshPublicKey(key, 'application');
  return { alias, encryptor, decryptors, publicKey, weakBits: encryptor.weakBits };
}

/** `v1.<kid>` of our own cipher, `hex` of Spring's symmetric ciphers, `base64` of its RSA cipher. */
export type TextForm = `v1.${string}` | 'hex' | 'base64';

/** The form of a text without prefix and selectors, not verified. */
export function formOf(text: string): TextForm {
  const kid = kidOf(text);
  if (kid !== undefined) return `v1.${kid}`;
  return /^[0-9a-fA-F]*$/.test(text) ? 'hex' : 'base64';
}
