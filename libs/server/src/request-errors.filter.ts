// Owns the last answer to any fault: plain text that names it to the caller and nothing of our insides.
import type { ServerResponse } from 'node:http';
import { Catch, HttpException, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import { loggerFor } from '@tessera/logging';
import { send, text, UNAVAILABLE_HEADERS, type Answer } from './answer.js';
import { RequestError } from './request-error.js';

const logger = loggerFor('http');

/** Tells errors that mean "not now, but soon", such as a database that is away, from real faults. */
export type IsTemporary = (error: unknown) => boolean;

/** The answer to a fault that no protocol of its own words otherwise. */
function toAnswer(error: unknown, isTemporary: IsTemporary): Answer {
  if (error instanceof RequestError) {
    return text(error.status, error.message, error.allow ? { Allow: error.allow } : {});
  }
  if (isTemporary(error)) {
    logger.warn({ error }, 'answered 503');
    return text(503, 'Service temporarily unavailable', UNAVAILABLE_HEADERS);
  }
  if (error instanceof URIError) {
    return text(400, 'the path is not well-formed percent-encoded UTF-8');
  }
  logger.error({ error }, 'answered 500');
  return text(500, 'Internal error');
}

@Catch()
export class RequestErrorsFilter implements ExceptionFilter {
  constructor(private readonly isTemporary: IsTemporary) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const response = host.switchToHttp().getResponse<ServerResponse>();
    if (response.headersSent) {
      response.destroy();
      return;
    }
    send(
      response,
      error instanceof HttpException ? plain(error) : toAnswer(error, this.isTemporary),
    );
  }
}

/** Nest's own exceptions: no route (404), a path it could not decode (400), a health check that failed (JSON, 503). */
function plain(error: HttpException): Answer {
  const status = error.getStatus();
  const report = error.getResponse();
  if (status === 404) return text(404, 'Not found');
  if (typeof report === 'object' && 'details' in report) {
    return { status, type: 'application/json;charset=UTF-8', body: JSON.stringify(report) };
  }
  return text(status, error.message);
}
