// Owns what a validation answers, before it is written in any format: a success or a failure.
import type { Attributes } from '@tessera/services';

/** @see CAS 3.0 §2.5.3 */
export type FailureCode =
  | 'INVALID_REQUEST'
  | 'INVALID_TICKET'
  | 'INVALID_SERVICE'
  | 'UNAUTHORIZED_SERVICE'
  | 'INTERNAL_ERROR';

export interface ValidationSuccess {
  readonly user: string;
  /** Undefined where the endpoint releases none. */
  readonly attributes: Attributes | undefined;
  /** Newest first; empty where the ticket was not proxied. */
  readonly proxies: readonly string[];
}

export interface ValidationFailure {
  readonly code: FailureCode;
  readonly description: string;
}
