// Owns where protected values stand among raw ones: at any depth, a whole scalar each.
import { CryptoError } from '@tessera/crypto';
import type { Problem } from '../problem.js';
import { isList, isTree, type RawContent, type RawValue } from '../raw-value.js';
import type { Protection } from './protection.js';

const MARK = /^\s*\{(?:cas-)?cipher\}/;

/** Protected values that settings may hold: old ciphers take milliseconds each. */
const MOST_VALUES = 1_000;
const TOO_MANY = `is beyond the ${MOST_VALUES} protected values that are read`;

/** Raw values as they were meant, by key, and those that nobody can read. */
export interface Unprotected {
  readonly values: ReadonlyMap<string, RawValue>;
  readonly problems: readonly Problem[];
}

/** Decrypts each value once, however often it is asked for. */
export class Unprotecting {
  private count = 0;
  private readonly done = new WeakMap<RawValue, Promise<RawValue>>();

  constructor(private readonly protection: Protection | undefined) {}

  /** The values with what can be decrypted decrypted; the others are left out, and each is a problem of its key. */
  async all(written: ReadonlyMap<string, RawValue>): Promise<Unprotected> {
    const values = new Map<string, RawValue>();
    const problems: Problem[] = [];
    const each = [...written].map(async ([key, raw]) => {
      try {
        values.set(key, await this.one(raw));
      } catch (error) {
        problems.push({ key, message: complaintOf(error), origin: raw.origin });
      }
    });
    await Promise.all(each);
    return { values, problems };
  }

  private one(raw: RawValue): Promise<RawValue> {
    let result = this.done.get(raw);
    if (result === undefined) {
      result = this.read(raw);
      this.done.set(raw, result);
    }
    return result;
  }

  private async read(raw: RawValue): Promise<RawValue> {
    const { content, origin } = raw;
    if (!isProtected(content)) return raw;
    return { content: await this.contentOf(content), origin, isProtected: true };
  }

  private async contentOf(content: RawContent): Promise<RawContent> {
    if (typeof content === 'string') {
      const marked = MARK.exec(content)?.[0];
      return marked === undefined ? content : this.decrypt(content.slice(marked.length));
    }
    if (isList(content)) return Promise.all(content.map((element) => this.one(element)));
    if (!isTree(content)) return content;
    const members = [...content].map(async ([name, raw]) => [name, await this.one(raw)] as const);
    return new Map(await Promise.all(members));
  }

  private async decrypt(text: string): Promise<string> {
    this.count += 1;
    if (this.count > MOST_VALUES) throw new CryptoError('TEXT_UNDECRYPTABLE', TOO_MANY);
    if (this.protection === undefined) throw new CryptoError('KEY_UNKNOWN', 'no key is configured');
    return this.protection.decrypt(text);
  }
}

/** Whether a value, or one within it, is protected. */
export function isProtected(content: RawContent): boolean {
  if (typeof content === 'string') return MARK.test(content);
  if (isList(content)) return content.some((element) => isProtected(element.content));
  return isTree(content) && [...content.values()].some((raw) => isProtected(raw.content));
}

function complaintOf(error: unknown): string {
  if (!(error instanceof CryptoError)) throw error;
  if (error.code === 'KEY_UNKNOWN') {
    return 'is protected, and there is no key: give sso.standalone.security.password in the environment, or as @<file>';
  }
  if (error.code === 'SELECTOR_UNKNOWN') return `cannot be decrypted: ${error.message}`;
  if (error.message === TOO_MANY) return TOO_MANY;
  return 'cannot be decrypted with the password, the algorithm and the keys of sso.standalone.security.*';
}
