/** Stable codes; docs/errors.md lists them. */
export type BackendErrorCode =
  'BACKEND_UNAVAILABLE' | 'LABEL_UNKNOWN' | 'QUERY_TOO_WIDE' | 'SOURCE_MALFORMED';

/** The message is public: it names the backend or the file, and contains no address, value or secret. */
export class BackendError extends Error {
  override readonly name = 'BackendError';

  constructor(
    readonly code: BackendErrorCode,
    message: string,
    cause?: unknown,
  ) {
    super(message, { cause });
  }

  static unavailable(backend: string, cause?: unknown): BackendError {
    return new BackendError('BACKEND_UNAVAILABLE', `backend ${backend} is not available`, cause);
  }

  /** Whether the same call may succeed later. */
  get isTemporary(): boolean {
    return this.code === 'BACKEND_UNAVAILABLE';
  }
}
