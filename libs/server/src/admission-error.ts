// Owns the refusal of a caller, before anything is done for it. Who is let in is the applications' affair.

/** Stable codes; docs/errors.md lists them. */
export type AdmissionErrorCode =
  'CALLER_UNKNOWN' | 'CALLER_NOT_ALLOWED' | 'AUTHENTICATION_THROTTLED';

/** The message is public. */
export class AdmissionError extends Error {
  override readonly name = 'AdmissionError';

  /** @param headers of the answer, by name: how to prove oneself, or when to come again */
  constructor(
    readonly code: AdmissionErrorCode,
    readonly status: number,
    message: string,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
  }
}
