// Owns what each kind of key does on a key ring: which cipher writes with it, and which read what it wrote.
import type { KeyObject } from 'node:crypto';
import type { Cipher } from '../ciphers/cipher.js';
import { EnvelopeCipher } from '../ciphers/envelope-cipher.js';
import { deriveKey, keyId } from '../ciphers/envelope-key.js';
import { SpringRsaCipher, type SpringRsaOptions } from '../ciphers/spring-rsa-cipher.js';
import { SpringTextCipher } from '../ciphers/spring-text-cipher.js';
import { sshPublicKey } from '../ciphers/ssh-public-key.js';
import type { EnvelopeKey } from './key-line.js';
import type { TextForm } from './text-form.js';

/** A key as the ring holds it. */
export interface RingKey {
  /** What `{key:…}` calls it, in any case of letters. */
  readonly alias: string;
  /** Writes new values. */
  readonly writer: Cipher;
  /** All that read what the key may have written, those that notice every change first. */
  readonly readers: ReadonlyMap<TextForm, readonly Cipher[]>;
  /** Of an RSA key: `ssh-rsa <base64> application`, as Spring's `/key` answers it. */
  readonly publicKey?: string;
  /** Of an RSA key that is too short for new values. */
  readonly weakBits?: number | undefined;
}

/** What a password writes: our envelope, or what Spring's clients read (CBC, or GCM). */
export type PasswordFormat = 'aes-gcm' | 'spring' | 'spring-gcm';

export interface PasswordKey {
  readonly alias: string;
  readonly password: string;
  /** Pairs of hexadecimal digits. */
  readonly salt: string;
  readonly format: PasswordFormat;
}

/** Writes and reads our envelope; `{key:…}` calls it by its kid. */
export function envelopeRingKey({ kid, key }: EnvelopeKey): RingKey {
  const writer = new EnvelopeCipher(key, kid);
  const readers = new Map<TextForm, readonly Cipher[]>([[`v1.${kid}`, [writer]]]);
  return { alias: kid, writer, readers };
}

/**
 * Writes one form, and reads all that passwords have ever been used for. Takes about 0.1 s: the keys
 * are derived here.
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
  const readers = new Map<TextForm, readonly Cipher[]>([
    [`v1.${kid}`, [envelope]],
    ['hex', [gcm, cbc]],
  ]);
  const writer = { 'aes-gcm': envelope, spring: cbc, 'spring-gcm': gcm }[format];
  return { alias, writer, readers };
}

/** Writes and reads as Spring does with RSA. @throws CryptoError KEY_UNUSABLE as {@link SpringRsaCipher} does */
export function rsaRingKey(alias: string, key: KeyObject, options: SpringRsaOptions): RingKey {
  const writer = new SpringRsaCipher(key, options);
  const readers = new Map<TextForm, readonly Cipher[]>([['base64', [writer]]]);
  const publicKey = sshPublicKey(key, 'application');
  return { alias, writer, readers, publicKey, weakBits: writer.weakBits };
}
