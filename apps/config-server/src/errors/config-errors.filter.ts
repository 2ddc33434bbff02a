// Answers the errors of the config server's controllers. @see docs/errors.md
import { Catch } from '@nestjs/common';
import type { Request } from 'express';
import { CryptoError } from '@tessera/crypto';
import { loggerFor } from '@tessera/logging';
import {
  type Answer,
  AnswerFilter,
  type ErrorResponse,
  errorResponseOf,
  isManagementRequest,
  renderPlainText,
  UNAVAILABLE_HEADERS,
} from '@tessera/server';
import { ThrottledError } from '@tessera/throttling';
import { BackendError, type BackendErrorCode } from '../backends/backend-error.js';
import { CallerError, challengeOf } from '../callers/caller-error.js';
import { EncryptionError } from './encryption-error.js';
import { EnvironmentError } from './environment-error.js';
import { renderError } from './error-renderer.js';

const logger = loggerFor('environment');

const BACKEND_STATUS: Readonly<Record<BackendErrorCode, number>> = {
  BACKEND_UNAVAILABLE: 503,
  LABEL_UNKNOWN: 404,
  QUERY_TOO_WIDE: 400,
  SOURCE_MALFORMED: 500,
};

@Catch()
export class ConfigErrorsFilter extends AnswerFilter {
  answerTo(error: unknown, request: Request): Answer {
    const render = isManagementRequest(request) ? renderPlainText : renderError;
    return render(responseTo(error) ?? errorResponseOf(error, request), request);
  }
}

/** For the errors that only this application has. */
function responseTo(error: unknown): ErrorResponse | undefined {
  if (error instanceof BackendError) return backendResponse(error);
  if (error instanceof CallerError) return callerResponse(error);
  if (error instanceof EnvironmentError) return responseWith(error.status, error);
  if (error instanceof EncryptionError) return responseWith(404, error);
  if (error instanceof CryptoError && error.isRequestError) return responseWith(400, error);
  if (error instanceof ThrottledError) {
    return { ...responseWith(429, error), headers: { 'Retry-After': String(error.retryAfter) } };
  }
  return undefined;
}

function responseWith(
  status: number,
  { code, message }: { readonly code: string; readonly message: string },
): ErrorResponse {
  return { status, code, message, ...(status === 503 && { headers: UNAVAILABLE_HEADERS }) };
}

/** CachedBackend logs outages, each once. */
function backendResponse(error: BackendError): ErrorResponse {
  const status = BACKEND_STATUS[error.code];
  if (status === 500) logger.error({ error }, 'answered 500');
  return responseWith(status, error);
}

function callerResponse(error: CallerError): ErrorResponse {
  const status = error.code === 'CALLER_UNKNOWN' ? 401 : 403;
  return { ...responseWith(status, error), headers: challengeOf(error) };
}
