// A parsed file of properties: flat keys, typed scalars, origins.
import type { ProfileExpression } from './profile-expression.js';

/** A number of any size as text: `511`, `12345678901234567890`, `0.5`. */
export class NumberLiteral {
  static readonly INFINITY = new NumberLiteral('"Infinity"', 'Infinity', '.inf');
  static readonly NEGATIVE_INFINITY = new NumberLiteral('"-Infinity"', '-Infinity', '-.inf');
  static readonly NOT_A_NUMBER = new NumberLiteral('"NaN"', 'NaN', '.nan');

  /** @param json the number in JSON; a string for those that JSON does not have */
  constructor(
    readonly json: string,
    readonly text = json,
    readonly yaml = json,
  ) {}
}

/** A value with the type that Spring's readers give it; null and empty lists are `""`. */
export type Scalar = string | boolean | NumberLiteral;

/** A value as text, as `.properties` and placeholders show it. */
export function scalarText(value: Scalar): string {
  return value instanceof NumberLiteral ? value.text : String(value);
}

/** The start of a value, counted from 1. */
export interface Origin {
  readonly line: number;
  readonly column: number;
}

export interface Property {
  readonly value: Scalar;
  /** Absent for a value that is from no file. */
  readonly origin?: Origin;
  /** Whether `${…}` in the value is text: a decrypted secret has no placeholders. */
  readonly isLiteral?: true;
}

/** By flat key (`a.b`, `c[0]`, `d[x/y]`), in the order of the file; the last value of a repeated key. */
export type Properties = ReadonlyMap<string, Property>;

/** One document of a file. */
export interface PropertyDocument {
  readonly properties: Properties;
  /** The profiles for which it is active; undefined for all. */
  readonly activation: ProfileExpression | undefined;
}
