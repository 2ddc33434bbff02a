// Converts any value to plain data for a log line: without secrets, limited in size.
/// <reference lib="esnext.error" />
import { isAnyArrayBuffer, isDate, isMap, isSet } from 'node:util/types';
import { cleanText, MAX_TEXT } from './clean-text.js';
import { isSecretField } from './secret-fields.js';

const MAX_DEPTH = 6;
const MAX_MEMBERS = 100;
const MAX_VALUES = 1000;
const MAX_CHARACTERS = 65_536;
const MAX_NAME = 128;

/** Logged fields of an error, in this order. Others are left out: database drivers attach parameters and rows with user data. */
const ERROR_FIELDS = [
  'message',
  'code',
  'errno',
  'syscall',
  'address',
  'port',
  'status',
  'severity',
  'schema',
  'table',
  'column',
  'constraint',
  'routine',
  'stack',
  'cause',
  'errors',
] as const;

/** Plain data without a prototype, so that no field name has a special meaning. */
export type CleanFields = Record<string, unknown>;

/** Cleans one value; its limits are per instance. It never throws, and always terminates. */
export class Redactor {
  readonly #ancestors = new Set<object>();
  #values = MAX_VALUES;
  #characters = MAX_CHARACTERS;

  fields(fields: object): CleanFields {
    const cleaned = this.value(fields);
    return isPlain(cleaned) ? cleaned : this.#collect([['value', cleaned]]);
  }

  value(value: unknown): unknown {
    this.#values -= 1;
    if (this.#values < 0) return '[cut]';
    switch (typeof value) {
      case 'string':
        return this.#text(value);
      case 'number':
        return Number.isFinite(value) ? value : String(value);
      case 'bigint':
      case 'symbol':
        return this.#text(String(value));
      case 'function':
        return '[function]';
      case 'object':
        return value === null ? null : this.#guarded(value);
      default:
        return value;
    }
  }

  #text(text: string): string {
    const cleaned = cleanText(text, Math.min(MAX_TEXT, this.#characters));
    this.#characters = Math.max(0, this.#characters - cleaned.length);
    return cleaned;
  }

  #guarded(value: object): unknown {
    if (this.#ancestors.has(value)) return '[circular]';
    if (this.#ancestors.size >= MAX_DEPTH) return '[too deep]';
    this.#ancestors.add(value);
    try {
      return this.#object(value);
    } catch {
      return '[unreadable]';
    } finally {
      this.#ancestors.delete(value);
    }
  }

  #object(value: object): unknown {
    if (Error.isError(value) || value instanceof Error) return this.#error(value);
    if (Array.isArray(value)) return this.#list(value, value.length);
    if (isSet(value)) return this.#list(value, value.size);
    if (isMap(value)) return this.#collect(mapEntries(value));
    if (isDate(value)) return Number.isNaN(value.getTime()) ? 'Invalid Date' : value.toISOString();
    if (ArrayBuffer.isView(value) || isAnyArrayBuffer(value)) return `[${value.byteLength} bytes]`;
    if (value instanceof RegExp) return this.#text(String(value));
    if (hasJsonForm(value)) return this.value(value.toJSON());
    return this.#collect(members(value, Object.keys(value)));
  }

  #list(items: Iterable<unknown>, length: number): unknown[] {
    const cleaned: unknown[] = [];
    for (const item of items) {
      if (cleaned.length === MAX_MEMBERS) return [...cleaned, `[${length - MAX_MEMBERS} more]`];
      cleaned.push(this.value(item) ?? null);
    }
    return cleaned;
  }

  #collect(entries: Iterable<readonly [string, unknown]>): CleanFields {
    const cleaned = Object.create(null) as CleanFields;
    let count = 0;
    for (const [name, value] of entries) {
      if (count === MAX_MEMBERS || this.#values <= 0) {
        cleaned['…'] = '[cut]';
        break;
      }
      count += 1;
      cleaned[cleanText(name, MAX_NAME)] = this.#member(name, value);
    }
    return cleaned;
  }

  #member(name: string, value: unknown): unknown {
    if (isSecretField(name)) return '[redacted]';
    return name === 'stack' ? this.#stack(value) : this.value(value);
  }

  #error(error: Error): CleanFields {
    const present = ERROR_FIELDS.filter((name) => name in error);
    return this.#collect([['type', error.name], ...members(error, present)]);
  }

  /** A stack becomes a list of its lines. */
  #stack(stack: unknown): unknown {
    if (typeof stack !== 'string') return this.value(stack);
    return this.#list(stack.split('\n', MAX_MEMBERS), MAX_MEMBERS);
  }
}

function* members(value: object, names: readonly string[]): Iterable<readonly [string, unknown]> {
  for (const name of names) yield [name, memberOf(value, name)];
}

/** A getter that throws affects this member only. */
function memberOf(value: object, name: string): unknown {
  try {
    return (value as Readonly<Record<string, unknown>>)[name];
  } catch {
    return '[unreadable]';
  }
}

function* mapEntries(map: ReadonlyMap<unknown, unknown>): Iterable<readonly [string, unknown]> {
  for (const [name, value] of map) yield [String(name), value];
}

function hasJsonForm(value: object): value is { toJSON(): unknown } {
  return 'toJSON' in value && typeof value.toJSON === 'function';
}

function isPlain(value: unknown): value is CleanFields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
