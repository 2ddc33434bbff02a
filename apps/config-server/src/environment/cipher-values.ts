// Owns turning `{cipher}` values into what they protect. Keys and ciphers are the decryptor's affair.
import { isUtf8 } from 'node:buffer';
import { setImmediate as turn } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { CryptoError, WorkQueue } from '@tessera/crypto';
import { loggerFor, type LogFields } from '@tessera/logging';
import type { Property } from '@tessera/property-sources';
import { BackendError } from '../backends/backend-error.js';
import type { PropertySource } from '../backends/environment-backend.js';

const logger = loggerFor('environment');

export const CIPHER = '{cipher}';
const NOT_AVAILABLE = '<n/a>';
/** One protected value within a text: selectors, then what ciphers write. */
const PROTECTED = /\{cipher\}((?:\{[\w-]+:[\w.-]+\})*[\w+/=.-]+)/g;

/** In bytes, of what is kept of decrypted values, by estimate. */
const CAPACITY = 4 * 1024 * 1024;
const BYTES_PER_VALUE = 200;
/** Some ciphers are slow and let nobody else have a turn. */
const MOST_AT_ONCE = 4;
/** Of one source or one file. */
const MOST_VALUES = 1000;
/** Of values that cannot be decrypted: so many are not told of again. */
const MOST_TOLD = 2_000;

/** What knows the keys, such as a key ring. */
export interface Decryptor {
  /** @param text without `{cipher}` @throws CryptoError where it cannot, now or later */
  decrypt(text: string): Promise<Buffer>;
}

/**
 * A value that cannot be decrypted is replaced, and logged by its key's name alone. What was once decrypted is kept by its
 * ciphertext: callers choose the names of environments, and all hold the same values.
 * @throws BackendError SOURCE_MALFORMED where there are more than a thousand
 */
export class CipherValues {
  /** By ciphertext; undefined where it cannot be decrypted. */
  private readonly opened = new LRUCache<string, Promise<string | undefined>>({
    maxSize: CAPACITY,
    // What a cipher writes is longer than what it protects.
    sizeCalculation: (_opened, text) => BYTES_PER_VALUE + 2 * text.length,
  });
  /** Callers choose how often a value is asked for, and under how many names. */
  private readonly told = new LRUCache<string, true>({ max: MOST_TOLD });
  private readonly decrypting = new WorkQueue(MOST_AT_ONCE, Infinity, endless);

  constructor(private readonly decryptor: Decryptor) {}

  /** Decrypted ones stand behind all others, without an origin; what cannot be is `invalid.<key>` with `<n/a>`. */
  async open(source: PropertySource): Promise<PropertySource> {
    const open: [string, Property][] = [];
    const ciphers: [string, string][] = [];
    for (const [key, property] of source.properties) {
      const { value } = property;
      if (typeof value === 'string' && value.startsWith(CIPHER)) ciphers.push([key, value]);
      else open.push([key, property]);
    }
    if (ciphers.length === 0) return source;
    if (ciphers.length > MOST_VALUES) throw tooMany(source.name);
    const opening = ciphers.map(([key, value]) => this.openProperty(key, value, source.name));
    return { name: source.name, properties: new Map([...open, ...(await Promise.all(opening))]) };
  }

  /**
   * A file's text with every protected value in it opened, escaped for the quotes it stands in.
   * @param file its name, for the log
   */
  async openText(text: string, file: string): Promise<string> {
    const found = [...text.matchAll(PROTECTED)];
    if (found.length > MOST_VALUES) throw tooMany(file);
    const opened = await Promise.all(found.map(({ 1: cipher = '' }) => this.decrypt(cipher)));
    let place = 0;
    const pieces = found.map((match, index) => {
      const before = text.slice(place, match.index);
      place = match.index + match[0].length;
      const plain = opened[index];
      if (plain === undefined) this.tell({ file, position: match.index }, match[0]);
      return before + quoted(plain ?? NOT_AVAILABLE, text[match.index - 1]);
    });
    return pieces.join('') + text.slice(place);
  }

  private async openProperty(
    key: string,
    value: string,
    source: string,
  ): Promise<readonly [string, Property]> {
    const plain = await this.decrypt(value.slice(CIPHER.length));
    if (plain !== undefined) return [key, { value: plain }];
    this.tell({ key, source }, value);
    return [`invalid.${key}`, { value: NOT_AVAILABLE }];
  }

  private tell(place: LogFields, value: string): void {
    const id = `${JSON.stringify(place)}${value}`;
    if (this.told.has(id)) return;
    this.told.set(id, true);
    logger.warn(place, 'a value cannot be decrypted');
  }

  private decrypt(text: string): Promise<string | undefined> {
    const known = this.opened.get(text);
    if (known) return known;
    const opening = this.decrypting
      .run(() => this.openCipher(text))
      .catch(() => {
        // Of what is no refusal nobody knows whether it lasts.
        this.opened.delete(text);
        return undefined;
      });
    this.opened.set(text, opening);
    return opening;
  }

  private async openCipher(text: string): Promise<string | undefined> {
    await turn();
    try {
      const plain = await this.decryptor.decrypt(text);
      return isUtf8(plain) ? plain.toString('utf8') : undefined;
    } catch (error) {
      if (error instanceof CryptoError) return undefined;
      throw error;
    }
  }
}

/** What waits is bounded by what an environment may hold. */
function endless(): Error {
  return new RangeError('too many values wait for decryption');
}

function tooMany(name: string): BackendError {
  const reason = `has more than ${MOST_VALUES} protected values`;
  return new BackendError('SOURCE_MALFORMED', `${name} ${reason}`);
}

function quoted(plain: string, quote: string | undefined): string {
  if (quote === '"') return JSON.stringify(plain).slice(1, -1);
  return quote === "'" ? plain.replaceAll("'", "''") : plain;
}
