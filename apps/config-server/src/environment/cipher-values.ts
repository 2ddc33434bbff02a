// Decrypts `{cipher}` values in properties and in plain files.
import { isUtf8 } from 'node:buffer';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { CryptoError, WorkQueue } from '@tessera/crypto';
import { loggerFor, type LogFields } from '@tessera/logging';
import type { Property } from '@tessera/property-sources';
import { BackendError } from '../backends/backend-error.js';
import type { PropertySource } from '../backends/environment-backend.js';

const logger = loggerFor('environment');

export const CIPHER_PREFIX = '{cipher}';
const NOT_AVAILABLE = '<n/a>';
/** A protected value within a text: key selectors, then the ciphertext. */
const PROTECTED = /\{cipher\}((?:\{[\w-]+:[\w.-]+\})*[\w+/=.-]+)/g;
/** The maximum size of the cache in bytes, by estimate. */
const CACHE_SIZE = 4 * 1024 * 1024;
const BYTES_PER_VALUE = 200;
/** Some ciphers are slow and block the event loop. */
const CONCURRENCY = 4;
/** In one source or one file. */
const MAX_VALUES = 1000;
/** Values that cannot be decrypted: so many are remembered, and not logged again. */
const MAX_LOGGED = 2_000;

/** Such as a key ring. */
export interface Decryptor {
  /** @param text without `{cipher}` @throws CryptoError if the text can never be decrypted */
  decrypt(text: string): Promise<Buffer>;
}

/**
 * A value that cannot be decrypted is replaced. The log names its key, never the value. Plaintexts are cached by
 * ciphertext: callers choose the names of environments, and most environments share their values.
 * @throws BackendError SOURCE_MALFORMED for more than a thousand values
 */
export class CipherValues {
  /** By ciphertext; undefined if it cannot be decrypted. */
  private readonly plaintexts = new LRUCache<string, Promise<string | undefined>>({
    maxSize: CACHE_SIZE,
    // A ciphertext is longer than its plaintext.
    sizeCalculation: (_plaintext, text) => BYTES_PER_VALUE + 2 * text.length,
  });
  /** Limits the log: callers can request a value any number of times, and under many names. */
  private readonly logged = new LRUCache<string, true>({ max: MAX_LOGGED });
  private readonly queue = new WorkQueue(CONCURRENCY, Infinity, queueFull);

  constructor(private readonly decryptor: Decryptor) {}

  /** Puts decrypted properties last, without an origin. One that cannot be decrypted becomes `invalid.<key>`, `<n/a>`. */
  async decryptSource(source: PropertySource): Promise<PropertySource> {
    const plain: [string, Property][] = [];
    const encrypted: [string, string][] = [];
    for (const [key, property] of source.properties) {
      const { value } = property;
      if (typeof value === 'string' && value.startsWith(CIPHER_PREFIX)) {
        encrypted.push([key, value]);
      } else {
        plain.push([key, property]);
      }
    }
    if (encrypted.length === 0) return source;
    if (encrypted.length > MAX_VALUES) throw tooManyValues(source.name);
    const decrypted = await Promise.all(
      encrypted.map(([key, value]) => this.decryptProperty(key, value, source.name)),
    );
    return { name: source.name, properties: new Map([...plain, ...decrypted]) };
  }

  /**
   * Decrypts every protected value in the text of a file, and escapes it for the quotes around it.
   * @param file its name, for the log
   * @param encode applied to each plaintext
   */
  async decryptText(
    text: string,
    file: string,
    encode: (plaintext: string) => string = (plaintext) => plaintext,
  ): Promise<string> {
    const matches = [...text.matchAll(PROTECTED)];
    if (matches.length > MAX_VALUES) throw tooManyValues(file);
    const decrypted = await Promise.all(matches.map(({ 1: cipher = '' }) => this.decrypt(cipher)));
    let position = 0;
    const pieces = matches.map((match, index) => {
      const before = text.slice(position, match.index);
      position = match.index + match[0].length;
      const plaintext = decrypted[index];
      if (plaintext === undefined) this.logOnce({ file, position: match.index }, match[0]);
      return before + encode(escapeForQuote(plaintext ?? NOT_AVAILABLE, text[match.index - 1]));
    });
    return pieces.join('') + text.slice(position);
  }

  private async decryptProperty(
    key: string,
    value: string,
    source: string,
  ): Promise<readonly [string, Property]> {
    const plaintext = await this.decrypt(value.slice(CIPHER_PREFIX.length));
    if (plaintext !== undefined) return [key, { value: plaintext, isLiteral: true }];
    this.logOnce({ key, source }, value);
    return [`invalid.${key}`, { value: NOT_AVAILABLE }];
  }

  private logOnce(place: LogFields, value: string): void {
    const id = `${JSON.stringify(place)}${value}`;
    if (this.logged.has(id)) return;
    this.logged.set(id, true);
    logger.warn(place, 'a value cannot be decrypted');
  }

  private decrypt(text: string): Promise<string | undefined> {
    const cached = this.plaintexts.get(text);
    if (cached) return cached;
    const decrypting = this.queue
      .run(() => this.tryDecrypt(text))
      .catch(() => {
        // An error other than a CryptoError may be temporary, so it is not cached.
        this.plaintexts.delete(text);
        return undefined;
      });
    this.plaintexts.set(text, decrypting);
    return decrypting;
  }

  private async tryDecrypt(text: string): Promise<string | undefined> {
    await yieldToEventLoop();
    try {
      const plaintext = await this.decryptor.decrypt(text);
      return isUtf8(plaintext) ? plaintext.toString('utf8') : undefined;
    } catch (error) {
      if (error instanceof CryptoError) return undefined;
      throw error;
    }
  }
}

/** Never happens: the queue is unlimited, because each environment is limited. */
function queueFull(): Error {
  return new RangeError('too many values wait for decryption');
}

function tooManyValues(name: string): BackendError {
  const reason = `has more than ${MAX_VALUES} protected values`;
  return new BackendError('SOURCE_MALFORMED', `${name} ${reason}`);
}

function escapeForQuote(text: string, quote: string | undefined): string {
  if (quote === '"') return JSON.stringify(text).slice(1, -1);
  return quote === "'" ? text.replaceAll("'", "''") : text;
}
