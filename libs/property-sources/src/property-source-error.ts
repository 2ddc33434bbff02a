/** Stable codes; docs/errors.md lists them. */
export type PropertySourceErrorCode = 'SOURCE_UNREADABLE';

/** The message is public: it has the file and the position, and no part of the text, which may be a secret. */
export class PropertySourceError extends Error {
  override readonly name = 'PropertySourceError';
  readonly code: PropertySourceErrorCode = 'SOURCE_UNREADABLE';

  constructor(
    readonly file: string,
    readonly line: number,
    readonly reason: string,
    column?: number,
  ) {
    const position = column === undefined ? `line ${line}` : `line ${line}, column ${column}`;
    super(`${file}, ${position}: ${reason}`);
  }
}
