// The errors of this library: refused callers, invalid requests, and settings the server cannot start with.
import { CodedError } from '@tessera/runtime';

/** Stable codes; docs/errors.md lists them. */
export type AdmissionErrorCode =
  'CALLER_UNKNOWN' | 'CALLER_NOT_ALLOWED' | 'AUTHENTICATION_THROTTLED' | 'RATE_LIMITED';

/** The caller is refused. The message is public. */
export class AdmissionError extends CodedError<AdmissionErrorCode> {
  /** @param headers of the answer, such as `WWW-Authenticate` or `Retry-After` */
  constructor(
    code: AdmissionErrorCode,
    readonly status: number,
    message: string,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(code, message);
  }
}

/** Stable codes; docs/errors.md lists them. */
export type RequestErrorCode =
  'MALFORMED_REQUEST' | 'UNSUPPORTED_MEDIA_TYPE' | 'BODY_TOO_LARGE' | 'METHOD_NOT_ALLOWED';

const STATUS: Readonly<Record<RequestErrorCode, number>> = {
  MALFORMED_REQUEST: 400,
  UNSUPPORTED_MEDIA_TYPE: 415,
  BODY_TOO_LARGE: 413,
  METHOD_NOT_ALLOWED: 405,
};

/** The request is invalid, before any work was done for it. The message is public. */
export class RequestError extends CodedError<RequestErrorCode> {
  constructor(
    code: RequestErrorCode,
    message: string,
    /** For METHOD_NOT_ALLOWED: the allowed methods. */
    readonly allow?: string,
  ) {
    super(code, message);
  }

  get status(): number {
    return STATUS[this.code];
  }
}

/** Stable codes; docs/errors.md lists them. */
export type ServerErrorCode = 'ADDRESS_RANGES_INVALID' | 'TLS_FILE_UNUSABLE';

/** A setting, or a file that it names, is unusable. The message is for the operator and quotes no content of a file. */
export class ServerError extends CodedError<ServerErrorCode> {}
