// Owns how the config server words what it refuses: JSON with the members that config clients know, and a message.
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

type Known = BackendError | CallerError | EnvironmentError | RequestError | ThrottledError;

interface Refusal {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Answers the errors it knows; everything else goes on to the server's own filter. @see docs/errors.md */
@Catch(BackendError, CallerError, EnvironmentError, RequestError, ThrottledError)
export class JsonErrorsFilter implements ExceptionFilter<Known> {
  catch(error: Known, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const { status, headers = {} } = refusalOf(error);
    // The backend's own faults are logged here; that it is away is logged once, where that is found.
    if (status === 500) logger.error({ error }, 'answered 500');
    const body = errorJson(status, http.getRequest<IncomingMessage>().url ?? '', error.message);
    send(http.getResponse<ServerResponse>(), { status, type: JSON_TYPE, body, headers });
  }
}

/** @param url its path is repeated as it came, without the query */
export function errorJson(status: number, url: string, message: string): string {
  return JSON.stringify({
    timestamp: new Date().toISOString().replace('Z', '+00:00'),
    status,
    error: STATUS_CODES[status],
    path: url.split('?', 1)[0],
    message,
  });
}

function refusalOf(error: Known): Refusal {
  if (error instanceof BackendError) return backendRefusal(error);
  if (error instanceof CallerError) return callerRefusal(error);
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

function backendRefusal({ code }: BackendError): Refusal {
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

function callerRefusal(error: CallerError): Refusal {
  switch (error.code) {
    case 'CALLER_UNKNOWN':
      return { status: 401, headers: challengeOf(error) };
    case 'CALLER_NOT_ALLOWED':
      return { status: 403 };
  }
}
