// Owns the refusals of callers, in public words. What the wire makes of them is the filters' affair.

/** Stable codes; docs/errors.md lists them. */
export type CallerErrorCode = 'CALLER_UNKNOWN' | 'CALLER_NOT_ALLOWED';

export class CallerError extends Error {
  override readonly name = 'CallerError';

  constructor(
    readonly code: CallerErrorCode,
    message: string,
  ) {
    super(message);
  }
}
