// Express middleware: an id for the log lines of each request, and a line at level debug.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { randomId } from '@tessera/crypto';
import { loggerFor, withRequestId } from '@tessera/logging';

const log = loggerFor('http');
const REQUEST_ID_LENGTH = 16;

export function requestId(
  request: IncomingMessage,
  response: ServerResponse,
  next: () => void,
): void {
  withRequestId(newRequestId, () => {
    if (log.isEnabled('debug')) logWhenAnswered(request, response);
    next();
  });
}

function newRequestId(): string {
  return randomId(REQUEST_ID_LENGTH);
}

function logWhenAnswered(request: IncomingMessage, response: ServerResponse): void {
  const started = performance.now();
  const { method, url } = request;
  response.once('close', () => {
    const milliseconds = Math.round(performance.now() - started);
    const path = decodePath(url?.split('?', 1)[0] ?? '');
    log.debug({ method, path, status: response.statusCode, milliseconds }, 'request');
  });
}

/** Decodes the path as the router does, so that ticket ids in any encoding are masked. */
function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return 'not well-formed';
  }
}
