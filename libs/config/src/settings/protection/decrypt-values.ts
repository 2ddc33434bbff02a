// Finds protected values among raw values, at any depth, and decrypts them.
import { CryptoError } from '@tessera/crypto';
import type { ReportedViolation } from '../violation.js';
import { isList, isTree, type RawContent, type RawValue } from '../raw-value.js';
import type { Protection } from './protection.js';

const PREFIX = /^\s*\{(?:cas-)?cipher\}/;

/** Old ciphers take milliseconds for each value. */
const MAX_VALUES = 1_000;
const TOO_MANY = `exceeds the limit of ${MAX_VALUES} protected values`;

/** Decrypted raw values by key, and violations for those that cannot be decrypted. */
export interface DecryptedValues {
  readonly values: ReadonlyMap<string, RawValue>;
  readonly violations: readonly ReportedViolation[];
}

/** Decrypts each value once and caches the result. */
export class ValueDecrypter {
  private count = 0;
  private readonly cache = new WeakMap<RawValue, Promise<RawValue>>();

  constructor(private readonly protection: Protection | undefined) {}

  /** Decrypts all values. Those that cannot be decrypted are left out, each with a violation. */
  async decryptAll(rawValues: ReadonlyMap<string, RawValue>): Promise<DecryptedValues> {
    const values = new Map<string, RawValue>();
    const violations: ReportedViolation[] = [];
    const each = [...rawValues].map(async ([key, raw]) => {
      try {
        values.set(key, await this.decryptOnce(raw));
      } catch (error) {
        violations.push({ key, message: decryptionMessage(error), origin: raw.origin });
      }
    });
    await Promise.all(each);
    return { values, violations };
  }

  private decryptOnce(raw: RawValue): Promise<RawValue> {
    let result = this.cache.get(raw);
    if (result === undefined) {
      result = this.decryptValue(raw);
      this.cache.set(raw, result);
    }
    return result;
  }

  private async decryptValue(raw: RawValue): Promise<RawValue> {
    const { content, origin } = raw;
    if (!isProtected(content)) return raw;
    return { content: await this.decryptContent(content), origin, isProtected: true };
  }

  private async decryptContent(content: RawContent): Promise<RawContent> {
    if (typeof content === 'string') {
      const marked = PREFIX.exec(content)?.[0];
      return marked === undefined ? content : this.decryptText(content.slice(marked.length));
    }
    if (isList(content)) return Promise.all(content.map((element) => this.decryptOnce(element)));
    if (!isTree(content)) return content;
    const members = [...content].map(
      async ([name, raw]) => [name, await this.decryptOnce(raw)] as const,
    );
    return new Map(await Promise.all(members));
  }

  private async decryptText(text: string): Promise<string> {
    this.count += 1;
    if (this.count > MAX_VALUES) throw new CryptoError('TEXT_UNDECRYPTABLE', TOO_MANY);
    if (this.protection === undefined) throw new CryptoError('KEY_UNKNOWN', 'no key is configured');
    return this.protection.decrypt(text);
  }
}

/** Whether a value, or a part of it, is protected. */
export function isProtected(content: RawContent): boolean {
  if (typeof content === 'string') return PREFIX.test(content);
  if (isList(content)) return content.some((element) => isProtected(element.content));
  return isTree(content) && [...content.values()].some((raw) => isProtected(raw.content));
}

function decryptionMessage(error: unknown): string {
  if (!(error instanceof CryptoError)) throw error;
  if (error.code === 'KEY_UNKNOWN') {
    return 'is protected, and there is no key: give sso.standalone.security.password in the environment, or as @<file>';
  }
  if (error.code === 'SELECTOR_UNKNOWN') return `cannot be decrypted: ${error.message}`;
  if (error.message === TOO_MANY) return TOO_MANY;
  return 'cannot be decrypted with the password, the algorithm and the keys of sso.standalone.security.*';
}
