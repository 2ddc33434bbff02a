// The contract of parsers, which convert raw values of settings to typed ones.
import { isTree, type RawValue } from '../raw-value.js';

/** Converts a raw value to a typed one, or returns why it is invalid. It never throws. */
export interface SettingParser<V> {
  parse(raw: RawValue): V | InvalidValue;
  /** The kind of value, as in the documents: `duration`, `list`. */
  readonly kind: string;
  /** The only values; absent where there are others. */
  readonly words?: readonly string[];
  /** The value as a file has it; absent where that is its text or its JSON. */
  format?(value: V): string;
  /** True if the value must never be shown, not even in violations. */
  readonly secret?: boolean;
  /**
   * Present for a family, in which each key below the setting's key is a setting that is resolved separately
   * (`logging.level.<logger>`); `parse` gets all of them as one map.
   */
  readonly member?: SettingParser<unknown>;
}

/** Why a value is invalid. The reason continues the key: `must be a whole number`. */
export class InvalidValue {
  constructor(
    readonly reason: string,
    /** False if the value must not be quoted although its setting is not a secret. */
    readonly mayQuote = true,
    /** The reason without any part of the value, including names in it. */
    readonly rule = reason,
  ) {}
}

const PROTECTED = /^\s*\{(?:cipher|cas-cipher)\}/;

/**
 * The text of a scalar, as written. Every parser uses it, so that a protected value (`{cipher}…`) is never taken for a
 * literal.
 */
export function scalarText(raw: RawValue, expected: string): string | InvalidValue {
  const { content } = raw;
  if (content === null) return new InvalidValue(`has no value; it must be ${expected}`);
  if (typeof content !== 'string') {
    return new InvalidValue(`must be ${expected}, not a ${isTree(content) ? 'map' : 'list'}`);
  }
  if (PROTECTED.test(content)) {
    return new InvalidValue('may not be protected, or not twice', false);
  }
  return content;
}

/** A parser of scalars: `convert` gets the trimmed text and returns undefined for an invalid value. */
export function scalarParser<V>(
  kind: string,
  expected: string,
  convert: (text: string) => V | undefined,
): SettingParser<V> {
  return {
    kind,
    parse(raw) {
      const text = scalarText(raw, expected);
      if (text instanceof InvalidValue) return text;
      return convert(text.trim()) ?? new InvalidValue(`must be ${expected}`);
    },
  };
}
