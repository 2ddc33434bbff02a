// Writes error responses as JSON, with a message and the members that config clients expect.
import { STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http';
import { Catch, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import { loggerFor } from '@tessera/logging';
import { RequestError, send, UNAVAILABLE_HEADERS } from '@tessera/server';
import { ThrottledError } from '@tessera/throttling';
import { BackendError } from '../backends/backend-error.js';
import { CallerError, challengeOf } from '../callers/caller-error.js';
import { EnvironmentError } from './environment-error.js';
import { JSON_TYPE } from './rendering/environment-json.js';

const logger = loggerFor('environment');

type HandledError = BackendError | CallerError | EnvironmentError | RequestError | ThrottledError;

interface ErrorResponse {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Handles the errors of this application; the server's filter handles all others. @see docs/errors.md */
@Catch(BackendError, CallerError, EnvironmentError, RequestError, ThrottledError)
export class JsonErrorsFilter implements ExceptionFilter<HandledError> {
  catch(error: HandledError, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const { status, headers = {} } = responseTo(error);
    // CachedBackend logs outages, each once. Other errors of a backend are logged here.
    if (status === 500) logger.error({ error }, 'answered 500');
    const body = errorJson(status, http.getRequest<IncomingMessage>().url ?? '', error.message);
    send(http.getResponse<ServerResponse>(), { status, type: JSON_TYPE, body, headers });
  }
}

/** @param url the body repeats its path unchanged, without the query */
export function errorJson(status: number, url: string, message: string): string {
  return JSON.stringify({
    timestamp: new Date().toISOString().replace('Z', '+00:00'),
    status,
    error: STATUS_CODES[status],
    path: url.split('?', 1)[0],
    message,
  });
}

function responseTo(error: HandledError): ErrorResponse {
  if (error instanceof BackendError) return backendErrorResponse(error);
  if (error instanceof CallerError) return callerErrorResponse(error);
  if (error instanceof ThrottledError) {
    return { status: 429, headers: { 'Retry-After': String(error.retryAfter) } };
  }
  if (error instanceof EnvironmentError) {
    const { status } = error;
    return status === 503 ? { status, headers: UNAVAILABLE_HEADERS } : { status };
  }
  if (error.allow === undefined) return { status: error.status };
  return { status: error.status, headers: { Allow: error.allow } };
}

function backendErrorResponse({ code }: BackendError): ErrorResponse {
  switch (code) {
    case 'BACKEND_UNAVAILABLE':
      return { status: 503, headers: UNAVAILABLE_HEADERS };
    case 'LABEL_UNKNOWN':
      return { status: 404 };
    case 'QUERY_TOO_WIDE':
      return { status: 400 };
    case 'SOURCE_MALFORMED':
      return { status: 500 };
  }
}

function callerErrorResponse(error: CallerError): ErrorResponse {
  switch (error.code) {
    case 'CALLER_UNKNOWN':
      return { status: 401, headers: challengeOf(error) };
    case 'CALLER_NOT_ALLOWED':
      return { status: 403 };
  }
}
