// The trace that log lines belong to.

/** W3C ids, in hexadecimal. */
export interface TraceIds {
  readonly traceId: string;
  readonly spanId: string;
}

type Source = () => TraceIds | undefined;

const NO_TRACES: Source = () => undefined;

let source = NO_TRACES;

/** Adds `trace.id` and `span.id` to each line, from now on. @param current the ids for a line; undefined for none */
export function logTraceIds(current: Source): void {
  source = current;
}

export function currentTraceIds(): TraceIds | undefined {
  return source();
}
