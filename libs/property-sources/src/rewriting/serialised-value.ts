/** Offsets in a text; `end` is exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A value and its position in a text. */
export interface SerialisedValue {
  readonly key: string;
  readonly value: string;
  /** Without quotes. */
  readonly span: Span;
  /** For a YAML block that keeps the line end after the text. */
  readonly blockHeader?: Span;
  /** In YAML: without quotes, and not in a block. */
  readonly isPlain?: boolean;
}
