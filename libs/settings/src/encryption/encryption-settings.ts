// Owns the settings of the keys of protected values, named as Spring names them. Files are read when the ring is opened.
import { fileURLToPath } from 'node:url';
import { CryptoError, looksLikePem, privateKeyOfPem, type PasswordFormat } from '@tessera/crypto';
import { Matches, NotEmpty } from '../bounds.js';
import type { ActiveProfiles, Complaint } from '../complaint.js';
import { list } from '../readers/collections.js';
import { boolean, oneOf, secret, text } from '../readers/scalars.js';
import { Live } from '../reload/live.js';
import type { Secret } from '../secret.js';
import { Setting, type SettingsGroup } from '../setting.js';

const STORE = 'encrypt.key-store';

@Live()
export class EncryptionSettings implements SettingsGroup {
  /** Each holds one key, ours or PEM; the first encrypts, all decrypt. */
  @Setting('encrypt.key-files', list) keyFiles: readonly string[] = [];
  /** Of `key` and of `keyFiles`, where they are encrypted PEM. */
  @Setting('encrypt.key-passphrase', secret) keyPassphrase: Secret | undefined = undefined;

  /** A password, or an RSA private key in PEM. */
  @Setting('encrypt.key', secret) key: Secret | undefined = undefined;
  /** For keys that are made of a password. */
  @Setting('encrypt.salt', text)
  @Matches(/^(?:[0-9a-fA-F]{2})+$/, 'must be pairs of hexadecimal digits')
  salt = 'deadbeef';
  /** What a password writes; it reads all. */
  @Setting('encrypt.format', oneOf('aes-gcm', 'spring', 'spring-gcm'))
  format: PasswordFormat = 'aes-gcm';

  @Setting('encrypt.rsa.algorithm', oneOf('DEFAULT', 'OAEP'))
  rsaAlgorithm: 'DEFAULT' | 'OAEP' = 'DEFAULT';
  @Setting('encrypt.rsa.strong', boolean) rsaStrong = false;
  /** Hexadecimal, else taken as text. */
  @Setting('encrypt.rsa.salt', text)
  @NotEmpty()
  rsaSalt = 'deadbeef';

  /** A path or a `file:` URL; empty for none. */
  @Setting('encrypt.key-store.location', text) storeLocation = '';
  @Setting('encrypt.key-store.password', secret) storePassword: Secret | undefined = undefined;
  /** As Spring has it: the password of the key, which in PKCS#12 is that of the store. */
  @Setting('encrypt.key-store.secret', secret) storeSecret: Secret | undefined = undefined;
  /** Of the key that encrypts, where the store does and holds several. */
  @Setting('encrypt.key-store.alias', text) storeAlias = '';
  /** For files that Spring reads too: Java opens PKCS#12 under either name. The file itself tells its kind. */
  @Setting('encrypt.key-store.type', oneOf('pkcs12', 'jks')) storeType: 'pkcs12' | 'jks' = 'pkcs12';

  /** Whether a key is made, once, and kept in `./.data` where none of the above gives one. */
  @Setting('encrypt.generate', boolean, { dev: true }) generate = false;

  /** Where no key is given; one may still be generated. */
  get isEmpty(): boolean {
    return this.keyFiles.length === 0 && this.key === undefined && this.storeLocation === '';
  }

  /** Undefined where there is no store, or where the location is none, of which {@link check} complains. */
  get storePath(): string | undefined {
    return this.storeLocation === '' ? undefined : pathOf(this.storeLocation);
  }

  /** Files with keys. A generated one is not among them: it does not change. */
  get files(): readonly string[] {
    const { keyFiles, storePath } = this;
    return storePath === undefined ? keyFiles : [...keyFiles, storePath];
  }

  *check(profiles: ActiveProfiles): Iterable<Complaint> {
    yield* this.checkKey();
    yield* this.storeLocation === '' ? this.checkNoStore() : this.checkStore();
    if (this.generate && profiles.isActive('production')) {
      const why = 'whoever loses ./.data loses every protected value';
      yield { key: 'encrypt.generate', message: `must be false in profile production: ${why}` };
    }
  }

  private *checkKey(): Iterable<Complaint> {
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

  private *checkNoStore(): Iterable<Complaint> {
    const message = `is of no effect without ${STORE}.location`;
    if (this.storePassword !== undefined) yield { key: `${STORE}.password`, message };
    if (this.storeSecret !== undefined) yield { key: `${STORE}.secret`, message };
    if (this.storeAlias !== '') yield { key: `${STORE}.alias`, message };
  }

  private *checkStore(): Iterable<Complaint> {
    if (this.storePath === undefined) {
      yield { key: `${STORE}.location`, message: 'must be a path or a file: URL' };
    }
    const password = this.storePassword?.reveal();
    if (password === undefined) {
      yield { key: `${STORE}.password`, message: `is required with ${STORE}.location` };
    } else if (!/^[ -~]*$/.test(password)) {
      yield { key: `${STORE}.password`, message: 'must be ASCII, as Java demands it' };
    }
    if (this.storeSecret !== undefined && this.storeSecret.reveal() !== password) {
      yield { key: `${STORE}.secret`, message: `must be ${STORE}.password: PKCS#12 has only one` };
    }
  }
}

/** Spring's `file:keys.p12` is relative, which no URL is. */
function pathOf(location: string): string | undefined {
  try {
    if (location.startsWith('file://')) return fileURLToPath(location);
  } catch {
    return undefined;
  }
  const path = location.replace(/^file:/, '');
  return /^[a-z][a-z0-9+-]+:/i.test(path) ? undefined : path;
}
