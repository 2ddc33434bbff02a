// What the routes for operators accept, and how they answer callers that prove nothing.
import { AdmissionError } from '@tessera/server';
import { type Dialect, statusOf } from '../../protocol/dialect.js';
import type { ManagementSettings } from '../../settings/management-settings.js';
import type { Proof } from './operator.js';

export interface AcceptedProofs {
  /** In the order in which they are checked. */
  readonly proofs: readonly Proof[];
  /** The answer without a proof. @param isWrong whether the caller sent an Authorization header */
  readonly unknown: (settings: ManagementSettings, isWrong: boolean) => AdmissionError;
  /** The status after too many wrong tokens. */
  readonly throttled: (dialect: Dialect) => number;
}

/** The operator's API and console. */
export const API: AcceptedProofs = {
  proofs: ['token', 'session'],
  unknown: (_, isWrong) =>
    unauthenticated(isWrong ? 'the credentials are wrong' : 'sign in first', [
      'Bearer realm="operator"',
    ]),
  throttled: () => 429,
};

/** `POST /actuator/refresh`. The answer is the same for missing and for wrong credentials. */
export const REFRESH: AcceptedProofs = {
  proofs: ['local program', 'token', 'password'],
  unknown: ({ token, hasRole }) =>
    unauthenticated('Authentication is required', [
      ...(token === undefined ? [] : ['Bearer realm="sso"']),
      ...(hasRole ? ['Basic realm="sso", charset="UTF-8"'] : []),
    ]),
  throttled: (dialect) => statusOf('throttled', dialect),
};

function unauthenticated(message: string, challenges: readonly string[]): AdmissionError {
  const headers = { 'WWW-Authenticate': challenges.join(', ') };
  return new AdmissionError('CALLER_UNKNOWN', 401, message, headers);
}
