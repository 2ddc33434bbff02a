// Answers every error that no other filter has handled, without internal details.
import type { IncomingMessage } from 'node:http';
import { Catch, HttpException } from '@nestjs/common';
import type { Request } from 'express';
import { loggerFor } from '@tessera/logging';
import { isTemporary } from '@tessera/runtime';
import { allowedMethods } from './allowed-methods.js';
import { AnswerFilter } from '../answers/answer.filter.js';
import { type Answer, text, UNAVAILABLE_HEADERS } from '../answers/answer.js';
import { AdmissionError, RequestError } from '../errors/errors.js';
import { isFromBrowser } from '../answers/html.js';
import { isManagementRequest } from './management.js';

const logger = loggerFor('http');

const REPORT_INTERVAL_MS = 1_000;
/** The error code of work that was not done because nobody waits for its answer. */
const CALLER_GONE = 'CALLER_GONE';

/** The content of an error answer, before an {@link ErrorRenderer} gives it a format. */
export interface ErrorResponse {
  readonly status: number;
  /** Of an error that has one. */
  readonly code?: string;
  /** Public. */
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** Formats an error answer as the application's protocol requires. */
export type ErrorRenderer = (error: ErrorResponse, request: IncomingMessage) => Answer;

export const renderPlainText: ErrorRenderer = ({ status, message, headers }) =>
  text(status, message, headers);

export const NOT_FOUND: ErrorResponse = { status: 404, message: 'Not found' };

/** Injection token of an {@link ErrorRenderer} for requests of the management listener, which a module may provide. */
export const MANAGEMENT_ERRORS = Symbol('MANAGEMENT_ERRORS');

/** Injection token of {@link ErrorPages}, which a module may provide. */
export const ERROR_PAGES = Symbol('ERROR_PAGES');

/** Pages for a browser that has followed a wrong address, and for the errors of other pages. */
export interface ErrorPages {
  /** Whether the route is that of a page. */
  include(request: Request): boolean;
  answerTo(error: ErrorResponse, request: Request): Promise<Answer>;
}

const UNDECODABLE: ErrorResponse = {
  status: 400,
  message: 'the path is not well-formed percent-encoded UTF-8',
};

@Catch()
export class RequestErrorsFilter extends AnswerFilter {
  constructor(
    private readonly renderError: ErrorRenderer,
    private readonly pages?: ErrorPages,
  ) {
    super();
  }

  answerTo(error: unknown, request: Request): Answer | Promise<Answer> {
    const response = errorResponseOf(error, request);
    const isWrongAddress = response === NOT_FOUND || response === UNDECODABLE;
    const { pages } = this;
    const isForPage =
      !isManagementRequest(request) &&
      (pages?.include(request) || (isWrongAddress && isFromBrowser(request)));
    return pages !== undefined && isForPage
      ? pages.answerTo(response, request)
      : this.renderError(response, request);
  }
}

/** The public content of the answer to an error. Logs the cause of a 500 or 503. */
export function errorResponseOf(error: unknown, request: Request): ErrorResponse {
  if (error instanceof HttpException) return nestErrorResponse(error, request);
  if (error instanceof RequestError) {
    const { status, code, message, allow } = error;
    return { status, code, message, headers: allow ? { Allow: allow } : {} };
  }
  if (error instanceof AdmissionError) {
    const { status, code, message, headers } = error;
    return { status, code, message, headers };
  }
  if (isTemporary(error)) {
    reportUnavailable(error);
    const message = 'Service temporarily unavailable';
    return { status: 503, message, headers: UNAVAILABLE_HEADERS };
  }
  if (error instanceof URIError) return UNDECODABLE;
  logger.error({ error }, 'answered 500');
  return { status: 500, message: 'Internal error' };
}

/** By code: when a line was written. */
const reported = new Map<unknown, number>();

/** Callers can cause any number: of errors with one code, one a second is a warning. */
function reportUnavailable(error: unknown): void {
  const { code } = error as { readonly code?: unknown };
  if (code === CALLER_GONE) {
    logger.debug({ error }, 'not answered: the caller has closed the connection');
    return;
  }
  const now = performance.now();
  const isQuiet = now - (reported.get(code) ?? -Infinity) < REPORT_INTERVAL_MS;
  if (!isQuiet) reported.set(code, now);
  logger[isQuiet ? 'debug' : 'warn']({ error }, 'answered 503');
}

/** For Nest's own exceptions: no route (404), a method that the path does not have (405), an undecodable path (400). */
function nestErrorResponse(error: HttpException, request: Request): ErrorResponse {
  const status = error.getStatus();
  if (status === 404) {
    const allow = allowedMethods(request);
    if (allow === undefined) return NOT_FOUND;
    return { status: 405, message: 'Method not allowed', headers: { Allow: allow } };
  }
  return error.message.startsWith('Failed to decode')
    ? UNDECODABLE
    : { status, message: error.message };
}
