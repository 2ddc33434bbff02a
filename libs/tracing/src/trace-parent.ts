// The caller's trace, from the header `traceparent`. @see W3C Trace Context §3.2
import type { IncomingHttpHeaders } from 'node:http';
import { ROOT_CONTEXT, type Context, type TextMapGetter } from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';

const PARENT = 'traceparent';

const propagator = new W3CTraceContextPropagator();

/** Leaves out `tracestate`: it is any text of the caller, and would be exported. */
const GETTER: TextMapGetter<IncomingHttpHeaders> = {
  get: (headers, name) => (name === PARENT ? headers[PARENT] : undefined),
  keys: () => [PARENT],
};

/** An empty context without the header, or with an invalid one. */
export function parentOf(headers: IncomingHttpHeaders): Context {
  return propagator.extract(ROOT_CONTEXT, headers, GETTER);
}
