import { CodedError } from '@tessera/runtime';

/** Stable codes; docs/errors.md lists them. */
export type CallerErrorCode = 'CALLER_UNKNOWN' | 'CALLER_NOT_ALLOWED';

/** The caller is not authenticated, or lacks a right. The message is public. */
export class CallerError extends CodedError<CallerErrorCode> {
  /** @param client the one that was refused, if it is known */
  constructor(
    code: CallerErrorCode,
    message: string,
    readonly client?: string,
  ) {
    super(code, message);
  }
}

/** The headers that ask an unauthenticated caller for credentials. @see RFC 9110 §11.6.1, RFC 7617 §2.1 */
export function challengeOf({ code }: CallerError): Readonly<Record<string, string>> {
  return code === 'CALLER_UNKNOWN' ? { 'WWW-Authenticate': 'Basic realm="config-server"' } : {};
}
