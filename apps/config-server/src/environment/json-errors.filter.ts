// Writes error responses as JSON, with a message and the members that config clients expect.
import { STATUS_CODES, type IncomingMessage } from 'node:http';
import { Catch } from '@nestjs/common';
import { loggerFor } from '@tessera/logging';
import {
  type Answer,
  AnswerFilter,
  type ErrorResponse,
  json,
  RequestError,
  UNAVAILABLE_HEADERS,
} from '@tessera/server';
import { ThrottledError } from '@tessera/throttling';
import { BackendError } from '../backends/backend-error.js';
import { CallerError, challengeOf } from '../callers/caller-error.js';
import { EnvironmentError } from './environment-error.js';

const logger = loggerFor('environment');

type HandledError = BackendError | CallerError | EnvironmentError | RequestError | ThrottledError;

type StatusAndHeaders = Pick<ErrorResponse, 'status' | 'headers'>;

/** Handles the errors of this application; the server's filter handles all others. @see docs/errors.md */
@Catch(BackendError, CallerError, EnvironmentError, RequestError, ThrottledError)
export class JsonErrorsFilter extends AnswerFilter<HandledError> {
  answerTo(error: HandledError, { url }: IncomingMessage): Answer {
    const { status, headers } = responseTo(error);
    // CachedBackend logs outages, each once. Other errors of a backend are logged here.
    if (status === 500) logger.error({ error }, 'answered 500');
    return jsonError({ status, message: error.message, headers }, url);
  }
}

/** @param url the body repeats its path unchanged, without the query */
export function jsonError({ status, message, headers }: ErrorResponse, url = ''): Answer {
  const content = {
    timestamp: new Date().toISOString().replace('Z', '+00:00'),
    status,
    error: STATUS_CODES[status],
    path: url.split('?', 1)[0],
    message,
  };
  return json(status, content, headers);
}

function responseTo(error: HandledError): StatusAndHeaders {
  if (error instanceof BackendError) return backendErrorResponse(error);
  if (error instanceof CallerError) return callerErrorResponse(error);
  if (error instanceof ThrottledError) {
    return { status: 429, headers: { 'Retry-After': String(error.retryAfter) } };
  }
  if (error instanceof EnvironmentError) {
    const { status } = error;
    return status === 503 ? { status, headers: UNAVAILABLE_HEADERS } : { status };
  }
  const { status, allow } = error;
  return { status, headers: allow === undefined ? {} : { Allow: allow } };
}

function backendErrorResponse({ code }: BackendError): StatusAndHeaders {
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

function callerErrorResponse(error: CallerError): StatusAndHeaders {
  switch (error.code) {
    case 'CALLER_UNKNOWN':
      return { status: 401, headers: challengeOf(error) };
    case 'CALLER_NOT_ALLOWED':
      return { status: 403 };
  }
}
