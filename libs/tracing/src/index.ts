// Traces by OpenTelemetry. Loaded only where they are on.
export type { Span } from '@opentelemetry/api';
export { type DroppedSpansEvent } from './dropped-spans.js';
export { traceRequests } from './request-spans.js';
export { statementAttributes, traceStatements } from './statement-spans.js';
export { Tracing, withoutChildren, type BegunSpans } from './tracing.js';
