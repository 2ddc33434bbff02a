// Authorises `POST /actuator/refresh`, with the errors of that endpoint.
import type { IncomingMessage } from 'node:http';
import { AdmissionError } from '@tessera/server';
import { ThrottledError } from '@tessera/throttling';
import { CallerError, challengeOf } from './caller-error.js';
import type { Callers } from './callers.js';

/** Settings belong to no application. */
const NO_SCOPE = { applications: [], profiles: [] };

/** @returns the caller, for the log @throws AdmissionError */
export async function admitToRefresh(callers: Callers, request: IncomingMessage): Promise<string> {
  try {
    const { name, address } = await callers.admit(request, 'refresh', NO_SCOPE);
    return name === undefined ? address : `${name} at ${address}`;
  } catch (error) {
    throw admissionError(error);
  }
}

function admissionError(error: unknown): unknown {
  if (error instanceof CallerError) {
    const status = error.code === 'CALLER_UNKNOWN' ? 401 : 403;
    return new AdmissionError(error.code, status, error.message, challengeOf(error));
  }
  if (error instanceof ThrottledError) {
    const headers = { 'Retry-After': String(error.retryAfter) };
    return new AdmissionError('AUTHENTICATION_THROTTLED', 429, error.message, headers);
  }
  return error;
}
