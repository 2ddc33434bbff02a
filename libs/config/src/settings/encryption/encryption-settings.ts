// The settings of the keys of protected values, named as in Spring.
import { fileURLToPath } from 'node:url';
import { IsNotEmpty, Matches } from 'class-validator';
import { CryptoError, looksLikePem, privateKeyOfPem, type PasswordFormat } from '@tessera/crypto';
import type { ActiveProfiles, Violation } from '../violation.js';
import { list } from '../parsers/collections.js';
import { boolean, oneOf, secret, text } from '../parsers/scalars.js';
import type { Secret } from '../secret.js';
import { Setting, type SettingsGroup } from '../setting.js';

const STORE = 'encrypt.key-store';

export class EncryptionSettings implements SettingsGroup {
  /** Each file holds one key, in our format or PEM; the first encrypts, all decrypt. */
  @Setting('encrypt.key-files', list) keyFiles: readonly string[] = [];
  /** For `key` and `keyFiles` if they are encrypted PEM. */
  @Setting('encrypt.key-passphrase', secret) keyPassphrase: Secret | undefined = undefined;

  /** A password, or an RSA private key in PEM. */
  @Setting('encrypt.key', secret) key: Secret | undefined = undefined;
  /** For keys that are derived from a password. */
  @Setting('encrypt.salt', text)
  @Matches(/^(?:[0-9a-fA-F]{2})+$/, { message: 'must be pairs of hexadecimal digits' })
  salt = 'deadbeef';
  /** The format in which a password encrypts; it decrypts all formats. */
  @Setting('encrypt.format', oneOf('aes-gcm', 'spring', 'spring-gcm'))
  format: PasswordFormat = 'aes-gcm';

  @Setting('encrypt.rsa.algorithm', oneOf('DEFAULT', 'OAEP'))
  rsaAlgorithm: 'DEFAULT' | 'OAEP' = 'DEFAULT';
  @Setting('encrypt.rsa.strong', boolean) rsaStrong = false;
  /** Hexadecimal; any other value is used as text. */
  @Setting('encrypt.rsa.salt', text)
  @IsNotEmpty({ message: 'must not be empty' })
  rsaSalt = 'deadbeef';

  /** A path or a `file:` URL; empty for none. */
  @Setting('encrypt.key-store.location', text) storeLocation = '';
  @Setting('encrypt.key-store.password', secret) storePassword: Secret | undefined = undefined;
  /** The password of the keys in JKS, where it is not the store's. In PKCS#12 a key has the store's. */
  @Setting('encrypt.key-store.secret', secret) storeSecret: Secret | undefined = undefined;
  /** The key that encrypts, if the store has several keys and encrypts. */
  @Setting('encrypt.key-store.alias', text) storeAlias = '';
  /** Accepted for files that Spring reads too. The file content decides. */
  @Setting('encrypt.key-store.type', oneOf('pkcs12', 'jks')) storeType: 'pkcs12' | 'jks' = 'pkcs12';

  /** Whether to generate a key once, in `./.data`, if none is configured. */
  @Setting('encrypt.generate', boolean, { dev: true }) generate = false;

  /** True if no key is configured; one may still be generated. */
  get isEmpty(): boolean {
    return this.keyFiles.length === 0 && this.key === undefined && this.storeLocation === '';
  }

  /** Undefined without a store, or if the location is invalid, which {@link check} reports. */
  get storePath(): string | undefined {
    return this.storeLocation === '' ? undefined : pathOf(this.storeLocation);
  }

  /** Files with keys, except a generated one, which never changes. */
  get files(): readonly string[] {
    const { keyFiles, storePath } = this;
    return storePath === undefined ? keyFiles : [...keyFiles, storePath];
  }

  *check(profiles: ActiveProfiles): Iterable<Violation> {
    yield* this.checkKey();
    yield* this.storeLocation === '' ? this.checkNoStore() : this.checkStore();
    if (this.generate && profiles.isActive('production')) {
      const why = 'losing ./.data loses every protected value';
      yield { key: 'encrypt.generate', message: `must be false in profile production: ${why}` };
    }
  }

  private *checkKey(): Iterable<Violation> {
    const key = this.key?.reveal();
    if (key === '') yield { key: 'encrypt.key', message: 'must not be empty' };
    if (key === undefined && this.format !== 'aes-gcm') {
      yield { key: 'encrypt.format', message: 'is of no effect without encrypt.key' };
    }
    if (key === undefined || !looksLikePem(key)) return;
    try {
      privateKeyOfPem(key, 'the key', this.keyPassphrase?.reveal());
    } catch (error) {
      if (!(error instanceof CryptoError)) throw error;
      yield { key: 'encrypt.key', message: error.message };
    }
  }

  private *checkNoStore(): Iterable<Violation> {
    const message = `is of no effect without ${STORE}.location`;
    if (this.storePassword !== undefined) yield { key: `${STORE}.password`, message };
    if (this.storeSecret !== undefined) yield { key: `${STORE}.secret`, message };
    if (this.storeAlias !== '') yield { key: `${STORE}.alias`, message };
  }

  private *checkStore(): Iterable<Violation> {
    if (this.storePath === undefined) {
      yield { key: `${STORE}.location`, message: 'must be a path or a file: URL' };
    }
    const password = this.storePassword?.reveal();
    if (password === undefined) {
      yield { key: `${STORE}.password`, message: `is required with ${STORE}.location` };
    } else if (!/^[ -~]*$/.test(password)) {
      yield { key: `${STORE}.password`, message: 'must be ASCII, as Java requires' };
    }
  }
}

/** Accepts Spring's relative `file:keys.p12`, which is not a valid URL. */
function pathOf(location: string): string | undefined {
  try {
    if (location.startsWith('file://')) return fileURLToPath(location);
  } catch {
    return undefined;
  }
  const path = location.replace(/^file:/, '');
  return /^[a-z][a-z0-9+-]+:/i.test(path) ? undefined : path;
}
