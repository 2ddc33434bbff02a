// Owns what finding protected values needs to know of a value: what it comes to, and where it is written.

/** Offsets in a text, the second one behind the last character. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export interface SerialisedValue {
  readonly key: string;
  readonly value: string;
  /** Without quotes. */
  readonly span: Span;
  /** Of a block of YAML that keeps line ends behind the text. */
  readonly blockHeader?: Span;
  /** In YAML without quotes, and in no block. */
  readonly isPlain?: boolean;
}
