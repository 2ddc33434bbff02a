// A span for each request to the application. @see OpenTelemetry's semantic conventions for HTTP servers
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Attributes, Span } from '@opentelemetry/api';
import { cleanText } from '@tessera/logging';
import {
  decodedPathOf,
  knownMethodOf,
  requestHandling,
  requestStarts,
  routeOf,
} from '@tessera/server';
import { parentOf } from './trace-parent.js';
import { fail, type Tracing } from './tracing.js';

const SPAN = Symbol('span');
const MAX_PATH = 256;

interface TracedRequest extends IncomingMessage {
  [SPAN]?: Span;
}

export function traceRequests(tracing: Tracing): void {
  tracing.subscribe(requestStarts, (event) => {
    if (event.server !== tracing.server) return;
    const request: TracedRequest = event.request;
    const method = knownMethodOf(request) ?? 'HTTP';
    const span = tracing.start({ name: method, kind: 'server' }, parentOf(request.headers));
    request[SPAN] = span;
    if (!span.isRecording()) return;
    const { url } = request;
    // Express changes the URL of a request.
    event.response.once('close', () => end(span, method, { ...event, url }));
  });
  tracing.enter(requestHandling, (request: TracedRequest) => request[SPAN]);
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly url: string | undefined;
}

function end(span: Span, method: string, { request, response, url }: Exchange): void {
  const route = routeOf(request);
  if (route !== undefined) span.updateName(`${method} ${route}`);
  span.setAttributes(requestAttributes(request, url, route));
  if (response.writableFinished) {
    const { statusCode } = response;
    span.setAttribute('http.response.status_code', statusCode);
    if (statusCode >= 500) fail(span, String(statusCode));
  } else {
    fail(span, 'aborted');
  }
  span.end();
}

/** Without what callers choose freely, except the path. Where a route has parameters, it stands for the path: they may be tickets. */
function requestAttributes(
  request: IncomingMessage,
  url: string | undefined,
  route: string | undefined,
): Attributes {
  const path = route?.includes('/:') ? route : cleanText(decodedPathOf(url), MAX_PATH);
  return {
    'http.request.method': knownMethodOf(request) ?? '_OTHER',
    'url.scheme': 'encrypted' in request.socket ? 'https' : 'http',
    'url.path': path,
    ...(route !== undefined && { 'http.route': route }),
  };
}
