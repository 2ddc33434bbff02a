// Counts and times answered requests, from the events of Node's HTTP server, and counts refused connections. A request that the
// client gave up has no event.
import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  knownMethodOf,
  refusedConnections,
  requestStarts,
  responseFinishes,
  routeOf,
} from '@tessera/server';
import type { Metrics } from './metrics.js';

const STARTED = Symbol('started');

interface TimedRequest extends IncomingMessage {
  [STARTED]?: number;
}

const STATUS_CLASSES = ['other', '1xx', '2xx', '3xx', '4xx', '5xx'];
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

/** Label of requests that no route matched. Paths would be unbounded. */
const UNMATCHED = 'unmatched';

export class HttpMetrics {
  /** Of which requests and connections are counted; no other server of the process. */
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
    const refused = metrics
      .counter(
        'tessera_http_connections_refused_total',
        'Connections that were closed at once, because too many were open.',
      )
      .of();
    metrics.observe(refusedConnections, ({ server }) => {
      if (server === this.server) refused.inc();
    });
    metrics.observe(requestStarts, ({ request, server }) => {
      if (server === this.server) (request as TimedRequest)[STARTED] = performance.now();
    });
    metrics.observe(responseFinishes, ({ request, response }) => {
      const started = (request as TimedRequest)[STARTED];
      if (started === undefined) return;
      const route = routeOf(request) ?? UNMATCHED;
      requests.of(route, knownMethodOf(request) ?? 'other', statusOf(response)).inc();
      duration.of(route).observe((performance.now() - started) / 1_000);
    });
  }
}

function statusOf({ statusCode }: ServerResponse): string {
  return STATUS_CLASSES[Math.floor(statusCode / 100)] ?? 'other';
}
