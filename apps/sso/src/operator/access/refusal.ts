// Refusals of callers, for the log and as errors.
import type { IncomingMessage } from 'node:http';
import type { Request } from 'express';
import { currentClientAddress, loggerFor } from '@tessera/logging';
import { AdmissionError } from '@tessera/server';

const log = loggerFor('operator');

/**
 * Logs the refusal and returns the error. Sent credentials are not logged: they may be a secret of another service.
 *
 * @param principal of a caller that is known
 */
export function refused(
  request: IncomingMessage,
  error: AdmissionError,
  principal?: string,
): AdmissionError {
  const { method, originalUrl } = request as Request;
  const [path] = originalUrl.split('?', 1);
  const caller = { clientAddress: currentClientAddress(), ...(principal && { principal }) };
  log.warn({ ...caller, reason: error.message, method, path }, 'a caller was refused');
  return error;
}

/** As {@link refused}, of a caller that lacks a right. */
export function forbidden(
  request: IncomingMessage,
  reason: string,
  principal?: string,
): AdmissionError {
  return refused(request, new AdmissionError('CALLER_NOT_ALLOWED', 403, reason), principal);
}
