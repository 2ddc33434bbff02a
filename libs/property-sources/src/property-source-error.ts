// Owns what can go wrong in a property source, in words that anybody may read.

/** Stable codes; docs/errors.md lists them. */
export type PropertySourceErrorCode = 'SOURCE_UNREADABLE';

/** The message is public: it names the file and the place and quotes nothing, since the text may be a secret. */
export class PropertySourceError extends Error {
  override readonly name = 'PropertySourceError';
  readonly code: PropertySourceErrorCode = 'SOURCE_UNREADABLE';

  /** @param file as people know it */
  constructor(
    readonly file: string,
    readonly line: number,
    readonly reason: string,
    column?: number,
  ) {
    const place = column === undefined ? `line ${line}` : `line ${line}, column ${column}`;
    super(`${file}, ${place}: ${reason}`);
  }
}
