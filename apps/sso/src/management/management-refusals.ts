// Owns how those are refused who may not manage the server.
import { AdmissionError } from '@tessera/server';
import type { ThrottledError } from '@tessera/throttling';
import { statusOf, type Dialect } from '../dialect.js';
import type { ManagementSettings } from '../settings/management-settings.js';

const REMEDY =
  'set sso.management.token, or sso.management.role-name and sso.management.role-value';

/** Nothing is set by which anybody could prove anything. @param reason of a caller in development */
export function closed(reason?: string): AdmissionError {
  const rule =
    reason === undefined
      ? 'nobody may manage this server'
      : `only programs of its machine may manage this server: ${reason}`;
  return new AdmissionError('CALLER_NOT_ALLOWED', 403, `${rule}; ${REMEDY}`);
}

/** The caller says nothing of itself, or nothing that is true: it is not told which. */
export function unknown({ token, hasRole }: ManagementSettings): AdmissionError {
  const schemes = [
    ...(token === undefined ? [] : ['Bearer realm="sso"']),
    ...(hasRole ? ['Basic realm="sso", charset="UTF-8"'] : []),
  ];
  const headers = { 'WWW-Authenticate': schemes.join(', ') };
  return new AdmissionError('CALLER_UNKNOWN', 401, 'Authentication is required', headers);
}

export function withoutRole(): AdmissionError {
  return new AdmissionError('CALLER_NOT_ALLOWED', 403, 'Request is not authorized');
}

/** As over REST. */
export function throttled(
  { code, message, retryAfter }: ThrottledError,
  dialect: Dialect,
): AdmissionError {
  const headers = { 'Retry-After': String(retryAfter) };
  return new AdmissionError(code, statusOf('throttled', dialect), message, headers);
}
