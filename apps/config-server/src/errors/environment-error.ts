import { CodedError } from '@tessera/runtime';

/** Stable codes; docs/errors.md lists them. */
export type EnvironmentErrorCode =
  'PATH_MALFORMED' | 'PATH_UNKNOWN' | 'FILE_UNKNOWN' | 'ACCEPT_UNSUPPORTED' | 'FILES_BUSY';

const STATUS: Readonly<Record<EnvironmentErrorCode, number>> = {
  PATH_MALFORMED: 400,
  PATH_UNKNOWN: 404,
  FILE_UNKNOWN: 404,
  ACCEPT_UNSUPPORTED: 406,
  FILES_BUSY: 503,
};

/** An invalid request for an environment or a file. The message is public, and has no text of the request. */
export class EnvironmentError extends CodedError<EnvironmentErrorCode> {
  get status(): number {
    return STATUS[this.code];
  }
}

/** The error for a path without a route. */
export function pathUnknown(): EnvironmentError {
  return new EnvironmentError(
    'PATH_UNKNOWN',
    'there is nothing at this path: environments are at /{application}/{profile}',
  );
}
