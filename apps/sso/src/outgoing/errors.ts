// The errors of outgoing calls.
import { CodedError } from '@tessera/runtime';

/** Stable codes; docs/errors.md lists them. */
export type OutgoingErrorCode =
  | 'URL_NOT_ALLOWED'
  | 'ADDRESS_NOT_ALLOWED'
  | 'HOST_NOT_FOUND'
  | 'CERTIFICATE_NOT_TRUSTED'
  | 'NO_ANSWER'
  | 'UNEXPECTED_STATUS';

/** The call was not made, or it failed. The message is a public sentence without its full stop, URL or address. */
export class OutgoingError extends CodedError<OutgoingErrorCode> {}
