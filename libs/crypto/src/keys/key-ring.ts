// Several keys for key rotation: the first encrypts, all decrypt.
import { undecryptable, type Cipher } from '../ciphers/cipher.js';
import { CryptoError, keyUnusable } from '../crypto-error.js';
import { cipherEvents, type CipherEvent } from '../crypto-events.js';
import { formOf, type RingKey, type TextForm } from './ring-key.js';
import { knownSelectorsOf } from './selectors.js';

/** An RSA key that still decrypts, but is too short to encrypt new values. */
export interface WeakKey {
  readonly alias: string;
  readonly bits: number;
}

export class KeyRing {
  readonly #keys: readonly RingKey[];
  readonly #decryptors: readonly Cipher[];
  readonly #decryptorsByForm: ReadonlyMap<TextForm, readonly Cipher[]>;

  /**
   * @param keys the encryption key first, the others in the order in which decryption tries them
   * @throws CryptoError KEY_UNUSABLE for two keys of the same alias
   */
  constructor(keys: readonly RingKey[]) {
    const duplicate = keys.find((key, index) => keys.findIndex(hasAlias(key.alias)) !== index);
    if (duplicate) throw keyUnusable(`two keys are called ${duplicate.alias}`);
    this.#keys = keys;
    this.#decryptors = keys.flatMap(({ decryptors }) => [...decryptors.values()].flat());
    const forms = new Set(keys.flatMap(({ decryptors }) => [...decryptors.keys()]));
    this.#decryptorsByForm = new Map([...forms].map((form) => [form, decryptorsOf(keys, form)]));
  }

  get isEmpty(): boolean {
    return this.#keys.length === 0;
  }

  get aliases(): readonly string[] {
    return this.#keys.map(({ alias }) => alias);
  }

  get weakKeys(): readonly WeakKey[] {
    return this.#keys.flatMap(({ alias, weakBits: bits }) => (bits ? [{ alias, bits }] : []));
  }

  /**
   * Returns a text without `{cipher}` and selectors, for {@link decrypt}.
   *
   * @param alias of the key to use instead of the first
   * @throws CryptoError KEY_UNKNOWN where no key has the alias or the ring is empty
   */
  encrypt(plain: Uint8Array, alias?: string): Promise<string> {
    return published('encrypt', this.#encrypt(plain, alias));
  }

  async #encrypt(plain: Uint8Array, alias?: string): Promise<string> {
    const key = alias === undefined ? this.#keys[0] : this.#keys.find(hasAlias(alias));
    if (!key) {
      throw new CryptoError('KEY_UNKNOWN', this.isEmpty ? 'no key is configured' : 'no such key');
    }
    return key.encryptor.encrypt(plain);
  }

  /**
   * Decrypts a text without `{cipher}`, with the key of a leading `{key:<alias>}`, or else with the first
   * key that fits the form of the text and can decrypt it.
   *
   * @throws CryptoError TEXT_UNDECRYPTABLE, the same error for every reason, an unknown alias included
   */
  decrypt(text: string): Promise<Buffer> {
    return published('decrypt', this.#decrypt(text));
  }

  async #decrypt(text: string): Promise<Buffer> {
    // Unknown selectors stay part of the text, which is then undecryptable.
    const { alias, rest } = knownSelectorsOf(text);
    const form = formOf(rest);
    const candidates =
      alias === undefined
        ? (this.#decryptorsByForm.get(form) ?? [])
        : decryptorsOf(this.#keys.filter(hasAlias(alias)), form);
    const plain = await firstDecrypted(candidates, rest);
    if (plain) return plain;
    await this.#tryRemaining(candidates, rest);
    throw undecryptable();
  }

  /**
   * The alias of the only key that can have encrypted a text, by its `{key:…}` and its form; `undefined` where several
   * could have, or none. For a text that was decrypted, the alias of the key that did it.
   */
  aliasOf(text: string): string | undefined {
    const { alias, rest } = knownSelectorsOf(text);
    const form = formOf(rest);
    const named = alias === undefined ? this.#keys : this.#keys.filter(hasAlias(alias));
    const [only, ...others] = named.filter(({ decryptors }) => decryptors.has(form));
    return others.length === 0 ? only?.alias : undefined;
  }

  /**
   * `ssh-rsa <base64> <name>` of the RSA key with the alias, or of the first RSA key; `undefined` without
   * one.
   */
  publicKey(alias?: string): string | undefined {
    const named = alias === undefined ? this.#keys : this.#keys.filter(hasAlias(alias));
    return named.find(({ publicKey }) => publicKey !== undefined)?.publicKey;
  }

  /**
   * Runs all remaining ciphers. Every undecryptable text takes the work of all of them, so that the time
   * reveals neither the keys nor the reason.
   */
  async #tryRemaining(tried: readonly Cipher[], text: string): Promise<void> {
    const untried = this.#decryptors.filter((cipher) => !tried.includes(cipher));
    for (const cipher of untried) await firstDecrypted([cipher], corrupted(text));
  }
}

/** Publishes the outcome of an operation. @returns the same promise */
function published<T>(operation: CipherEvent['operation'], running: Promise<T>): Promise<T> {
  if (cipherEvents.hasSubscribers) {
    running.then(
      () => cipherEvents.publish({ operation, outcome: 'success' }),
      () => cipherEvents.publish({ operation, outcome: 'failure' }),
    );
  }
  return running;
}

/** Aliases are case-insensitive, as in Java's key stores. */
function hasAlias(alias: string): (key: RingKey) => boolean {
  const lowerCase = alias.toLowerCase();
  return (key) => key.alias.toLowerCase() === lowerCase;
}

function decryptorsOf(keys: readonly RingKey[], form: TextForm): readonly Cipher[] {
  return keys.flatMap(({ decryptors }) => decryptors.get(form) ?? []);
}

/** A similar text that no key decrypts: decryptable texts take less time than undecryptable ones. */
function corrupted(text: string): string {
  return text.slice(0, -1) + (text.endsWith('0') ? '1' : '0');
}

/** The result of the first cipher that can decrypt the text. */
async function firstDecrypted(
  ciphers: readonly Cipher[],
  text: string,
): Promise<Buffer | undefined> {
  for (const cipher of ciphers) {
    try {
      return await cipher.decrypt(text);
    } catch (error) {
      if ((error as CryptoError).code !== 'TEXT_UNDECRYPTABLE') throw error;
    }
  }
  return undefined;
}
