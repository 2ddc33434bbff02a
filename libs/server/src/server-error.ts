// Owns what the server cannot start with: what its settings name and is no use. Faults of requests are RequestError's.

/** Stable codes; docs/errors.md lists them. */
export type ServerErrorCode = 'ADDRESS_RANGES_INVALID' | 'TLS_FILE_UNUSABLE';

/** The message is for the operator and names what is at fault; it quotes no content of a file. */
export class ServerError extends Error {
  override readonly name = 'ServerError';

  constructor(
    readonly code: ServerErrorCode,
    message: string,
    cause?: unknown,
  ) {
    super(message, { cause });
  }
}
