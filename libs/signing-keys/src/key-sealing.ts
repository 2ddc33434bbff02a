// Seals private keys, so that a reader of the database cannot sign tokens.
import { hkdfSync } from 'node:crypto';
import { join } from 'node:path';
import { EnvelopeCipher, ensureKeyFile, type EnvelopeKey, readKeyFile } from '@tessera/crypto';
import { SigningKeyError } from './signing-key-error.js';
import type { SigningKey } from './signing-key.js';

const SETTING = 'sso.oidc.sealing-keys';
const FILE = 'oidc-sealing.key';
/** A key for another purpose, such as cookies, derives another one. */
const PURPOSE = 'signing-key';

export interface KeySealingOptions {
  /** Those of the setting: the first seals, all open. */
  readonly sealingKeys: readonly EnvelopeKey[];
  /** Whether a key is generated where none is set: for a trial on one machine. */
  readonly generatesKey: boolean;
  /** The directory of a generated key, which is outside the database. Default: `./.data`. */
  readonly dataDirectory?: string;
}

/**
 * The keys of the setting. Without them, and with `generatesKey`, the key in a file of mode 0600 that is made at need.
 *
 * @throws SigningKeyError SEALING_KEY_MISSING, naming the setting
 * @throws CryptoError KEY_UNUSABLE, naming the file
 */
export async function openKeySealing({
  sealingKeys: [first, ...others],
  generatesKey,
  dataDirectory = './.data',
}: KeySealingOptions): Promise<KeySealing> {
  if (first !== undefined) return new KeySealing([first, ...others], SETTING);
  if (!generatesKey) {
    throw new SigningKeyError(
      'SEALING_KEY_MISSING',
      `${SETTING} must be set: it seals the private keys that sign tokens, which are in the database (tessera keygen makes a key)`,
    );
  }
  const path = join(dataDirectory, FILE);
  await ensureKeyFile(path, 'without it, the keys that sign tokens cannot be opened');
  const file = await readKeyFile(path);
  if (file.kind !== 'envelope') {
    throw new SigningKeyError('SEALING_KEY_MISSING', `${path} must hold a key of tessera keygen`);
  }
  return new KeySealing([file.key], path);
}

export class KeySealing {
  /** The beginning of what the first key seals. */
  private readonly header: string;
  private readonly ciphers: readonly [EnvelopeCipher, ...EnvelopeCipher[]];

  /** @param source where the keys are, for errors: the setting or the file */
  constructor(
    [first, ...others]: readonly [EnvelopeKey, ...EnvelopeKey[]],
    private readonly source: string,
  ) {
    this.header = `v1.${first.kid}.`;
    this.ciphers = [cipherOf(first), ...others.map(cipherOf)];
  }

  /** Seals with the first key. */
  seal(key: SigningKey): Promise<string> {
    return this.ciphers[0].encrypt(Buffer.from(JSON.stringify(key)));
  }

  /** Whether the first key sealed it. */
  isCurrent(sealed: string): boolean {
    return sealed.startsWith(this.header);
  }

  /** @throws SigningKeyError SIGNING_KEY_SEALED, naming the source, where no key opens it as the private key of this id */
  async open(kid: string, sealed: string): Promise<SigningKey> {
    for (const cipher of this.ciphers) {
      const plain = await cipher.decrypt(sealed).catch(() => undefined);
      if (plain === undefined) continue;
      const key = JSON.parse(plain.toString('utf8')) as SigningKey;
      if (key.kid === kid) return key;
    }
    throw new SigningKeyError(
      'SIGNING_KEY_SEALED',
      `no key of ${this.source} opens the signing key ${kid}: add the key that sealed it, ` +
        'or replace the signing keys by "tessera oidc keys rotate --now"',
    );
  }
}

function cipherOf({ kid, key }: EnvelopeKey): EnvelopeCipher {
  return new EnvelopeCipher(new Uint8Array(hkdfSync('sha256', key, '', PURPOSE, key.length)), kid);
}
