// Refuses requests that another HTTP server could read differently: several Host headers, no HTTP/1 version, an invalid target.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { send } from '../answers/answer.js';
import type { ErrorRenderer, ErrorResponse } from './request-errors.filter.js';

// The connection is closed, since the rest of its data could be read differently, too.
const headers = { Connection: 'close' };

const NO_HTTP_1: ErrorResponse = {
  status: 400,
  message: 'the request line does not say HTTP/1.0 or HTTP/1.1',
  headers,
};
const SEVERAL_HOSTS: ErrorResponse = {
  status: 400,
  message: 'Host is given more than once',
  headers,
};

const INVALID_TARGET: ErrorResponse = {
  status: 400,
  message: 'the request target is not valid',
  headers,
};
const UNKNOWN_EXPECTATION: ErrorResponse = {
  status: 417,
  message: 'Expect is not supported',
  headers,
};

/**
 * A step before Express, which skips its middleware for some targets. Refuses requests with an invalid head and closes their connection. Later requests on it are dropped: another server could
 * read them as part of the first.
 */
export function headCheck(renderError: ErrorRenderer) {
  const refused = new WeakSet<Socket>();
  return (request: IncomingMessage, response: ServerResponse, next: () => void): void => {
    if (refused.has(request.socket)) return;
    const error = checkHead(request);
    if (error === undefined) return next();
    refused.add(request.socket);
    send(response, renderError(error, request));
  };
}

/**
 * The error for a head that Node accepts, undefined for a valid one. Node itself refuses HTTP/1.1 without Host.
 *
 * @see RFC 9112 §3 (request line), §3.2 (Host)
 */
function checkHead({
  httpVersionMajor,
  rawHeaders,
  headers: known,
  url = '',
}: IncomingMessage): ErrorResponse | undefined {
  if (httpVersionMajor !== 1) return NO_HTTP_1;
  if (hasSeveralHosts(rawHeaders)) return SEVERAL_HOSTS;
  if (!isValidTarget(url)) return INVALID_TARGET;
  // Node has answered 100-continue itself.
  const { expect } = known;
  return expect === undefined || expect.toLowerCase() === '100-continue'
    ? undefined
    : UNKNOWN_EXPECTATION;
}

/** No fragment, and no backslash in the path: Express would read it as a slash, and a proxy's rule for a path would not. */
const ONE_READING = /^[^?#\\]*(?:\?[^#]*)?$/;

/** A path, `*`, or an absolute URL that can be parsed, with a path that has one reading. */
function isValidTarget(url: string): boolean {
  return (url.startsWith('/') || url === '*' || URL.canParse(url)) && ONE_READING.test(url);
}

/**
 * Reads the raw headers, since `headers` contains only the first Host. It runs for every request, so it creates no strings
 * for the usual spellings.
 */
function hasSeveralHosts(rawHeaders: readonly string[]): boolean {
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    if (name.length === 4 && isHost(name)) hosts += 1;
  }
  return hosts > 1;
}

function isHost(name: string): boolean {
  return name === 'Host' || name === 'host' || name.toLowerCase() === 'host';
}
