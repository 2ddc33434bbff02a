import { CodedError } from '@tessera/runtime';

/** Stable codes; docs/errors.md lists them. */
export type BackendErrorCode =
  'BACKEND_UNAVAILABLE' | 'LABEL_UNKNOWN' | 'QUERY_TOO_WIDE' | 'SOURCE_MALFORMED';

/** The message is public: it names the backend or the file, and contains no address, value or secret. */
export class BackendError extends CodedError<BackendErrorCode> {
  static unavailable(backend: string, cause?: unknown): BackendError {
    return new BackendError('BACKEND_UNAVAILABLE', `backend ${backend} is not available`, cause);
  }

  /** Whether the same call may succeed later. */
  override get isTemporary(): boolean {
    return this.code === 'BACKEND_UNAVAILABLE';
  }
}
