// Owns the faults of a request as such: what a caller sent that no route could read.

/** Stable codes; docs/errors.md lists them. */
export type RequestErrorCode =
  'MALFORMED_REQUEST' | 'UNSUPPORTED_MEDIA_TYPE' | 'BODY_TOO_LARGE' | 'METHOD_NOT_ALLOWED';

const STATUS: Readonly<Record<RequestErrorCode, number>> = {
  MALFORMED_REQUEST: 400,
  UNSUPPORTED_MEDIA_TYPE: 415,
  BODY_TOO_LARGE: 413,
  METHOD_NOT_ALLOWED: 405,
};

/** A request refused before any work was done for it. The message is public and names the fault. */
export class RequestError extends Error {
  override readonly name = 'RequestError';

  constructor(
    readonly code: RequestErrorCode,
    message: string,
    /** For METHOD_NOT_ALLOWED: the methods that are. */
    readonly allow?: string,
  ) {
    super(message);
  }

  get status(): number {
    return STATUS[this.code];
  }
}
