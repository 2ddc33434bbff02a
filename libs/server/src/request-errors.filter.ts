// Owns the last answer to any fault: it names it to the caller and says nothing of our insides. In which form is the
// application's affair; plain text unless it has one.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Catch, HttpException, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import { loggerFor } from '@tessera/logging';
import { AdmissionError } from './admission-error.js';
import { send, text, UNAVAILABLE_HEADERS, type Answer } from './answer.js';
import { RequestError } from './request-error.js';

const logger = loggerFor('http');

/** Tells errors that mean "not now, but soon", such as a database that is away, from real faults. */
export type IsTemporary = (error: unknown) => boolean;

/** What is said of a fault, before it is put into the words of a protocol. */
export interface Fault {
  readonly status: number;
  /** Public. */
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** How an application words a fault that none of its own filters has worded. */
export type FaultWording = (fault: Fault, request: IncomingMessage) => Answer;

export const inPlainText: FaultWording = ({ status, message, headers }) =>
  text(status, message, headers);

export const NOT_FOUND: Fault = { status: 404, message: 'Not found' };

const UNDECODABLE: Fault = {
  status: 400,
  message: 'the path is not well-formed percent-encoded UTF-8',
};

@Catch()
export class RequestErrorsFilter implements ExceptionFilter {
  constructor(
    private readonly isTemporary: IsTemporary,
    private readonly wording: FaultWording,
  ) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const response = http.getResponse<ServerResponse>();
    if (response.headersSent) {
      response.destroy();
      return;
    }
    send(response, healthReport(error) ?? this.worded(error, http.getRequest()));
  }

  private worded(error: unknown, request: IncomingMessage): Answer {
    return this.wording(faultOf(error, this.isTemporary), request);
  }
}

function faultOf(error: unknown, isTemporary: IsTemporary): Fault {
  if (error instanceof HttpException) return faultOfNest(error);
  if (error instanceof RequestError) {
    const { status, message, allow } = error;
    return { status, message, headers: allow ? { Allow: allow } : {} };
  }
  if (error instanceof AdmissionError) {
    const { status, message, headers } = error;
    return { status, message, headers };
  }
  if (isTemporary(error)) {
    logger.warn({ error }, 'answered 503');
    const message = 'Service temporarily unavailable';
    return { status: 503, message, headers: UNAVAILABLE_HEADERS };
  }
  if (error instanceof URIError) return UNDECODABLE;
  logger.error({ error }, 'answered 500');
  return { status: 500, message: 'Internal error' };
}

/** Nest's own exceptions: no route (404), a path it could not decode (400). */
function faultOfNest(error: HttpException): Fault {
  const status = error.getStatus();
  if (status === 404) return NOT_FOUND;
  return error.message.startsWith('Failed to decode')
    ? UNDECODABLE
    : { status, message: error.message };
}

/** A health check that failed says what has, in JSON, whoever asks. */
function healthReport(error: unknown): Answer | undefined {
  if (!(error instanceof HttpException)) return undefined;
  const report = error.getResponse();
  if (typeof report !== 'object' || !('details' in report)) return undefined;
  const body = JSON.stringify(report);
  return { status: error.getStatus(), type: 'application/json;charset=UTF-8', body };
}
