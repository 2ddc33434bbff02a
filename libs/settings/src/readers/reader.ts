// Owns the contract of readers, which turn raw values into typed ones, and what all of them share.
import { isTree, type RawValue } from '../raw-value.js';

/** Turns one raw value into a typed one, or says why not. It never throws. */
export interface Reader<V> {
  read(raw: RawValue): V | Refusal;
  /** True where the value must never be shown, in problems neither. */
  readonly secret?: boolean;
  /**
   * Present where each key below the setting's own is a setting of its own, resolved apart from
   * its neighbours (`logging.level.<logger>`); `read` then gets all of them as one map.
   */
  readonly member?: Reader<unknown>;
}

/** Why a value was not taken: reads on from the key, `must be a whole number`. */
export class Refusal {
  constructor(
    readonly reason: string,
    /** False where the value must not be quoted although its setting is no secret. */
    readonly mayQuote = true,
    /** The reason without any part of the value, names in it included. */
    readonly rule = reason,
  ) {}
}

const PROTECTED = /^\s*\{(?:cipher|cas-cipher)\}/;

/**
 * The text of a scalar, as written. The one way to it for every reader, so that a protected value
 * (`{cipher}…`) can never be taken for a literal.
 */
export function scalarText(raw: RawValue, expected: string): string | Refusal {
  const { content } = raw;
  if (content === null) return new Refusal(`has no value; it must be ${expected}`);
  if (typeof content !== 'string') {
    return new Refusal(`must be ${expected}, not a ${isTree(content) ? 'map' : 'list'}`);
  }
  if (PROTECTED.test(content)) {
    return new Refusal('may not be protected, or not twice', false);
  }
  return content;
}

/** A reader for scalars: `parse` gets the trimmed text and gives undefined for what it refuses. */
export function scalarReader<V>(
  expected: string,
  parse: (text: string) => V | undefined,
): Reader<V> {
  return {
    read(raw) {
      const text = scalarText(raw, expected);
      if (text instanceof Refusal) return text;
      return parse(text.trim()) ?? new Refusal(`must be ${expected}`);
    },
  };
}
