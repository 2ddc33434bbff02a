// Owns which key a text is written with, and which keys are tried on one. How is the ciphers' affair.
import { undecryptable, type Cipher } from '../ciphers/cipher.js';
import { CryptoError } from '../crypto-error.js';
import type { RingKey } from './ring-key.js';
import { knownSelectorsOf } from './selectors.js';
import { formOf, type TextForm } from './text-form.js';
import { unusable } from './unusable-key.js';

/** An RSA key that may read old values, and is too short for new ones. */
export interface WeakKey {
  readonly alias: string;
  readonly bits: number;
}

/** Several keys, of which the first encrypts and all decrypt, so that keys can be changed. */
export class KeyRing {
  readonly #keys: readonly RingKey[];
  /** Of all keys and forms. */
  readonly #readers: readonly Cipher[];
  /** The same, each under the form it reads. */
  readonly #readersByForm: ReadonlyMap<TextForm, readonly Cipher[]>;

  /**
   * @param keys the one that encrypts first, the others in the order in which they are tried
   * @throws CryptoError KEY_UNUSABLE where two have the same alias
   */
  constructor(keys: readonly RingKey[]) {
    const twice = keys.find((key, index) => keys.findIndex(isCalled(key.alias)) !== index);
    if (twice) throw unusable(`two keys are called ${twice.alias}`);
    this.#keys = keys;
    this.#readers = keys.flatMap(({ readers }) => [...readers.values()].flat());
    const forms = new Set(keys.flatMap(({ readers }) => [...readers.keys()]));
    this.#readersByForm = new Map([...forms].map((form) => [form, readersOf(keys, form)]));
  }

  get isEmpty(): boolean {
    return this.#keys.length === 0;
  }

  get aliases(): readonly string[] {
    return this.#keys.map(({ alias }) => alias);
  }

  /** Those whose operator is to be warned, in their order. */
  get weakKeys(): readonly WeakKey[] {
    return this.#keys.flatMap(({ alias, weakBits: bits }) => (bits ? [{ alias, bits }] : []));
  }

  /**
   * A text without `{cipher}` and selectors, for {@link decrypt}.
   *
   * @param alias of the key to use instead of the first
   * @throws CryptoError KEY_UNKNOWN where no key is called so, or there is none at all
   */
  async encrypt(plain: Uint8Array, alias?: string): Promise<string> {
    const key = alias === undefined ? this.#keys[0] : this.#keys.find(isCalled(alias));
    if (!key) {
      throw new CryptoError('KEY_UNKNOWN', this.isEmpty ? 'no key is configured' : 'no such key');
    }
    return key.writer.encrypt(plain);
  }

  /**
   * What a text without `{cipher}` holds. The key is the one that `{key:<alias>}` in front names, else
   * whichever of those that fit the form of the text can read it.
   *
   * @throws CryptoError TEXT_UNDECRYPTABLE, the same whatever is wrong, an unknown alias included
   */
  async decrypt(text: string): Promise<Buffer> {
    // Selectors that nobody knows make a text undecryptable, as all else that is wrong with one.
    const { alias, rest } = knownSelectorsOf(text);
    const form = formOf(rest);
    const fitting =
      alias === undefined
        ? (this.#readersByForm.get(form) ?? [])
        : readersOf(this.#keys.filter(isCalled(alias)), form);
    const plain = await firstReading(fitting, rest);
    if (plain) return plain;
    await this.#workInVain(fitting, rest);
    throw undecryptable();
  }

  /**
   * `ssh-rsa <base64> <name>` of the first RSA key, or of the one that is called so; `undefined` where
   * there is none.
   */
  publicKey(alias?: string): string | undefined {
    const named = alias === undefined ? this.#keys : this.#keys.filter(isCalled(alias));
    return named.find(({ publicKey }) => publicKey !== undefined)?.publicKey;
  }

  /**
   * Has every reader try that has not yet: a text that is refused takes the work of all of them, so that the time tells
   * neither which keys there are nor what is wrong with it.
   */
  async #workInVain(tried: readonly Cipher[], text: string): Promise<void> {
    const left = this.#readers.filter((reader) => !tried.includes(reader));
    for (const reader of left) await firstReading([reader], spoiled(text));
  }
}

/** Java's key stores do not tell `Key` from `key`, and neither do values that were written with one. */
function isCalled(alias: string): (key: RingKey) => boolean {
  const lowerCase = alias.toLowerCase();
  return (key) => key.alias.toLowerCase() === lowerCase;
}

function readersOf(keys: readonly RingKey[], form: TextForm): readonly Cipher[] {
  return keys.flatMap(({ readers }) => readers.get(form) ?? []);
}

/** A text like it that no key reads: one that is read takes less time than one that is refused. */
function spoiled(text: string): string {
  return text.slice(0, -1) + (text.endsWith('0') ? '1' : '0');
}

/** What the first cipher that can read a text makes of it. */
async function firstReading(ciphers: readonly Cipher[], text: string): Promise<Buffer | undefined> {
  for (const cipher of ciphers) {
    try {
      return await cipher.decrypt(text);
    } catch (error) {
      if ((error as CryptoError).code !== 'TEXT_UNDECRYPTABLE') throw error;
    }
  }
  return undefined;
}
