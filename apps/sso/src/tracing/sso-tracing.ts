// The traces of the SSO application. Loaded only where they are on.
import type { TracingSettings } from '@tessera/config';
import { withoutQuery } from '@tessera/logging';
import { ticketEvents } from '@tessera/tickets';
import { traceRequests, traceStatements, Tracing, type BegunSpans } from '@tessera/tracing';
import { loginOperations, outcomeOf } from '../authentication/login-events.js';
import { outgoingCalls, type OutgoingCall } from '../outgoing/outgoing-client.js';
import { traceBatches } from './batch-spans.js';

/** Traces from now on. Call it before the application is created, whose sessions of the database are traced. */
export function openSsoTracing({ url, headers, sampleRatio }: TracingSettings): Tracing {
  const tracing = new Tracing({ service: 'tessera-sso', url, headers, sampleRatio });
  traceSso(tracing);
  return tracing;
}

export function traceSso(tracing: Tracing): void {
  traceRequests(tracing);
  traceStatements(tracing);
  traceBatches(tracing);
  traceLogins(tracing);
  traceTickets(tracing);
  traceCalls(tracing);
}

function traceLogins(tracing: Tracing): void {
  tracing.traceBelow(
    loginOperations,
    ({ entryPoint, credentialType }) => ({
      name: 'authenticate',
      attributes: {
        'tessera.login.entry_point': entryPoint,
        'tessera.login.credential_type': credentialType,
      },
    }),
    (operation) => {
      const { outcome, handler } = outcomeOf(operation);
      return {
        'tessera.login.outcome': outcome,
        ...(handler !== undefined && { 'tessera.login.handler': handler }),
      };
    },
  );
}

/** Adds to the span of the request what became of its tickets. */
function traceTickets(tracing: Tracing): void {
  tracing.subscribe(ticketEvents, (event) => {
    const span = tracing.current;
    if (span?.isRecording() !== true) return;
    switch (event.type) {
      case 'granted':
      case 'validated':
        span.setAttribute(`tessera.ticket.${event.type}`, event.kind);
        break;
      case 'refused':
        span.setAttribute('tessera.ticket.refused', event.reason);
        break;
      case 'ended':
    }
  });
}

/** Calls of services. Logout messages are sent outside of any request, so each begins a trace. */
function traceCalls(tracing: Tracing): void {
  tracing.trace(outgoingCalls, {
    begin: (call) => beginCall(tracing, call),
    ending: ({ result }) =>
      typeof result === 'number' ? { 'http.response.status_code': result } : {},
  });
}

function beginCall(tracing: Tracing, { method, url }: OutgoingCall): BegunSpans | undefined {
  const parent = tracing.current;
  if (parent?.isRecording() === false) return undefined;
  const { hostname, port, protocol } = URL.parse(url) ?? {};
  const attributes = {
    'http.request.method': method,
    'url.full': withoutQuery(url),
    'server.address': hostname,
    'server.port': Number(port || (protocol === 'http:' ? 80 : 443)),
  };
  const span = tracing.start({ name: method, kind: 'client', attributes }, parent);
  return { current: span, spans: [span] };
}
