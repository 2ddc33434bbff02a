// Errors of the operator's API, and how they are worded. @see RFC 9457
import { STATUS_CODES } from 'node:http';
import { CodedError } from '@tessera/runtime';
import { currentRequestId } from '@tessera/logging';
import {
  Answer,
  type ErrorRenderer,
  isFromBrowser,
  managementPath,
  type PlainLink,
  type PlainPage,
  plainPage,
  text,
} from '@tessera/server';

/** Stable codes; docs/operators-api.md lists them. */
export type ProblemCode =
  | 'PRECONDITION_REQUIRED'
  | 'CHANGED_MEANWHILE'
  | 'SESSION_NOT_FOUND'
  | 'CLIENT_SECRET_NOT_FOUND'
  | 'LOGOUT_MESSAGES_DISABLED'
  | 'METRICS_UNAVAILABLE';

const STATUS: Readonly<Record<ProblemCode, number>> = {
  PRECONDITION_REQUIRED: 428,
  CHANGED_MEANWHILE: 412,
  SESSION_NOT_FOUND: 404,
  CLIENT_SECRET_NOT_FOUND: 404,
  LOGOUT_MESSAGES_DISABLED: 404,
  METRICS_UNAVAILABLE: 503,
};

/** A request that cannot be served. The message is public. */
export class ProblemError extends CodedError<ProblemCode> {
  get status(): number {
    return STATUS[this.code];
  }
}

export interface Problem {
  readonly status: number;
  readonly code: string;
  readonly detail: string;
  readonly violations?: readonly { readonly field: string; readonly reason: string }[];
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

export function problemAnswer({ status, code, detail, violations, headers }: Problem): Answer {
  const title = STATUS_CODES[status] ?? 'Error';
  const body = {
    type: 'about:blank',
    title,
    status,
    code,
    detail,
    ...(violations && { violations }),
  };
  return new Answer(status, 'application/problem+json', JSON.stringify(body), headers);
}

const CODES: Readonly<Record<number, string>> = {
  400: 'MALFORMED_REQUEST',
  404: 'NOT_FOUND',
  405: 'METHOD_NOT_ALLOWED',
  503: 'TEMPORARILY_UNAVAILABLE',
};

/** The code of an error that has none of its own. */
export function codeOfStatus(status: number): string {
  return CODES[status] ?? 'INTERNAL_ERROR';
}

/** Problems below the operator's API; elsewhere pages for browsers, and plain text for programs. */
export function operatorErrorRenderer(baseUrl: string): ErrorRenderer {
  return (error, request) => {
    const { status, message, headers } = error;
    if (request.url?.startsWith(`/${managementPath('api')}/`)) {
      return problemAnswer({ status, code: codeOfStatus(status), detail: message, headers });
    }
    if (!isFromBrowser(request)) return text(status, message, headers);
    const title = status === 404 ? 'There is no such page' : (STATUS_CODES[status] ?? 'Error');
    const paragraphs = status === 404 ? [] : [message];
    return consoleMessage(baseUrl, { status, title, paragraphs, headers });
  };
}

/** A page with a message, and the way to the console. */
export function consoleMessage(
  baseUrl: string,
  { paragraphs, ...message }: Pick<PlainPage, 'status' | 'title' | 'paragraphs' | 'headers'>,
  link: PlainLink = ['/console/', 'Open the console'],
): Answer {
  const id = currentRequestId();
  const reference = id === undefined ? [] : [`Reference: ${id}`];
  const links = [link];
  return plainPage({ ...message, paragraphs: [...paragraphs, ...reference], links, baseUrl });
}
