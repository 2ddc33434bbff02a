// The traces of the config server. Loaded only where they are on.
import type { TracingSettings } from '@tessera/config';
import { traceRequests, traceStatements, Tracing } from '@tessera/tracing';
import { backendOperations } from '../backends/backend-events.js';

/** Traces from now on. Call it before the application is created, whose sessions of the database are traced. */
export function openConfigServerTracing({ url, headers, sampleRatio }: TracingSettings): Tracing {
  const tracing = new Tracing({ service: 'tessera-config-server', url, headers, sampleRatio });
  traceRequests(tracing);
  traceStatements(tracing);
  tracing.traceBelow(backendOperations, ({ backend, operation }) => ({
    name: `${operation} ${backend}`,
    attributes: { 'tessera.backend': backend },
  }));
  return tracing;
}
