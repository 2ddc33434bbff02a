// Counts and times answered requests, from the events of Node's HTTP server. A request that the client gave up has none.
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { EventChannel } from '@tessera/runtime';
import type { Metrics } from './metrics.js';

const STARTED = Symbol('started');

interface TimedRequest extends IncomingMessage {
  [STARTED]?: number;
  /** Set by Express for a matched route. */
  readonly route?: { readonly path: string };
}

interface HttpEvent {
  readonly request: TimedRequest;
  readonly response: ServerResponse;
  readonly server: Server;
}

/** Node's own channels. */
const REQUESTS = new EventChannel<HttpEvent>('http.server.request.start');
const RESPONSES = new EventChannel<HttpEvent>('http.server.response.finish');

/** Callers choose the method. */
const KNOWN_METHODS: ReadonlySet<string> = new Set([
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
]);
const STATUS_CLASSES = ['other', '1xx', '2xx', '3xx', '4xx', '5xx'];
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

/** Nest's own route for paths below the context path that have no other. */
const NEST_NOT_FOUND = '*path';
/** Label of requests that no route matched. Paths would be unbounded. */
const UNMATCHED = 'unmatched';

export class HttpMetrics {
  /** Of which requests are counted; no other server of the process. */
  server: unknown;

  constructor(metrics: Metrics) {
    const requests = metrics.counter(
      'tessera_http_requests_total',
      'Answered requests, by the template of their route and the class of their status.',
      ['route', 'method', 'status'],
    );
    const duration = metrics.histogram(
      'tessera_http_request_duration_seconds',
      'Time from the head of a request to the end of its answer.',
      { labels: ['route'], buckets: BUCKETS },
    );
    metrics.observe(REQUESTS, ({ request, server }) => {
      if (server === this.server) request[STARTED] = performance.now();
    });
    metrics.observe(RESPONSES, ({ request, response }) => {
      const started = request[STARTED];
      if (started === undefined) return;
      const route = routeOf(request);
      requests.of(route, methodOf(request), statusOf(response)).inc();
      duration.of(route).observe((performance.now() - started) / 1_000);
    });
  }
}

function routeOf({ route }: TimedRequest): string {
  return route === undefined || route.path === NEST_NOT_FOUND ? UNMATCHED : route.path;
}

function methodOf({ method = '' }: IncomingMessage): string {
  return KNOWN_METHODS.has(method) ? method : 'other';
}

function statusOf({ statusCode }: ServerResponse): string {
  return STATUS_CLASSES[Math.floor(statusCode / 100)] ?? 'other';
}
