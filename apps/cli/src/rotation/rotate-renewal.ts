// Owns what becomes of one protected text: which key wrote it, and what the newest key writes in its place.
import { isUtf8 } from 'node:buffer';
import { CryptoError, formOf, selectorsOf, type Cipher, type KeyRing } from '@tessera/crypto';
import { escapeForTerminal } from '../terminal-escape.js';

/** What wrote texts before there was a key ring. */
export interface FormerCipher {
  readonly name: string;
  readonly cipher: Cipher;
}

/** `current`: the newest key wrote it. */
export type Outcome =
  | { readonly is: 'renewed'; readonly from: string; readonly to: string; readonly text: string }
  | { readonly is: 'current' }
  | { readonly is: 'undecryptable'; readonly reason: string };

interface Reading {
  readonly from: string;
  readonly plain: Buffer;
}

const NOT_OF_JASYPT = 'cannot be decrypted with the algorithm and password given';

export class Renewal {
  /** The alias of the key that encrypts. */
  readonly newest: string;
  /** Whether it can {@link adopt}. */
  readonly readsJasypt: boolean;
  private readonly isForAll: boolean;
  private readonly former: FormerCipher | undefined;

  /** @param keys at least one */
  constructor(
    readonly keys: KeyRing,
    options: { readonly isForAll: boolean; readonly former: FormerCipher | undefined },
  ) {
    this.newest = keys.aliases[0] ?? '';
    this.isForAll = options.isForAll;
    this.former = options.former;
    this.readsJasypt = options.former !== undefined;
  }

  /** @param text with its selectors, without `{cipher}` */
  async renew(text: string): Promise<Outcome> {
    const selected = lenientSelectors(text);
    if (!selected) return { is: 'undecryptable', reason: 'has a selector that is not known' };
    const { alias, rest } = selected;
    const reading = await this.read(rest, alias);
    if (!reading) return { is: 'undecryptable', reason: this.reasonFor(rest, alias) };
    const { from, plain } = reading;
    const renewed = await this.keys.encrypt(plain);
    plain.fill(0);
    const isCurrent = from === this.newest && formOf(rest) === formOf(renewed);
    if (isCurrent && !this.isForAll) return { is: 'current' };
    return { is: 'renewed', from, to: this.newest, text: renewed };
  }

  /** @param text of a value that says of itself that Jasypt wrote it: no key of ours can have */
  async adopt(text: string): Promise<Outcome> {
    const reading = await this.readFormer(text);
    if (!reading) return { is: 'undecryptable', reason: NOT_OF_JASYPT };
    const renewed = await this.keys.encrypt(reading.plain);
    reading.plain.fill(0);
    return { is: 'renewed', from: reading.from, to: this.newest, text: renewed };
  }

  /** What is no text was read with the wrong key: not every cipher notices. */
  private async read(text: string, alias: string | undefined): Promise<Reading | undefined> {
    for (const from of this.aliasesFor(alias)) {
      const plain = await decrypted(this.keys, `{key:${from}}${text}`);
      if (plain) return { from, plain };
    }
    return alias === undefined ? this.readFormer(text) : undefined;
  }

  private async readFormer(text: string): Promise<Reading | undefined> {
    if (!this.former) return undefined;
    const plain = await decrypted(this.former.cipher, text);
    return plain && { from: this.former.name, plain };
  }

  private aliasesFor(alias: string | undefined): readonly string[] {
    const { aliases } = this.keys;
    if (alias === undefined) return aliases;
    return aliases.filter((known) => known.toLowerCase() === alias.toLowerCase());
  }

  private reasonFor(text: string, alias: string | undefined): string {
    if (alias !== undefined && this.aliasesFor(alias).length === 0) {
      return `names the key ${escapeForTerminal(alias)}, which is not given`;
    }
    const form = formOf(text);
    const writer = form.startsWith('v1.')
      ? `: it was written with ${form.slice('v1.'.length)}`
      : '';
    return `cannot be decrypted with the keys given${writer}`;
  }
}

function lenientSelectors(text: string): ReturnType<typeof selectorsOf> | undefined {
  try {
    return selectorsOf(text);
  } catch {
    return undefined;
  }
}

async function decrypted(
  cipher: Pick<Cipher, 'decrypt'>,
  text: string,
): Promise<Buffer | undefined> {
  try {
    const plain = await cipher.decrypt(text);
    return isUtf8(plain) ? plain : undefined;
  } catch (error) {
    if (error instanceof CryptoError && error.code === 'TEXT_UNDECRYPTABLE') return undefined;
    throw error;
  }
}
