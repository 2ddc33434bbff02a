// Owns the form in which a file of properties is held once it is read: flat keys, typed scalars, places.
import type { ProfileExpression } from './profile-expression.js';

/** A number exactly as JSON writes it, of any size: `511`, `12345678901234567890`, `0.5`. */
export class NumberLiteral {
  constructor(readonly json: string) {}
}

/** A value as Spring's readers type it; null and empty lists have become `""`. */
export type Scalar = string | boolean | NumberLiteral;

/** A value as a text: what `.properties` and placeholders show of it. */
export function scalarText(value: Scalar): string {
  return value instanceof NumberLiteral ? value.json : String(value);
}

/** Where a value begins, counted from 1. */
export interface Origin {
  readonly line: number;
  readonly column: number;
}

export interface Property {
  readonly value: Scalar;
  /** Absent where a value comes from no file. */
  readonly origin?: Origin;
}

/** Flat keys (`a.b`, `c[0]`, `d[x/y]`) in the order they were written; of a key given twice, the last. */
export type Properties = ReadonlyMap<string, Property>;

/** One document of a file; a file without separators is one. */
export interface PropertyDocument {
  readonly properties: Properties;
  /** For which profiles it counts; undefined where it does for all. */
  readonly activation: ProfileExpression | undefined;
}
