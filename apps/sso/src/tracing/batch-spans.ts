// Spans of the statements that several requests share.
import {
  statementAttributes,
  withoutChildren,
  type BegunSpans,
  type Span,
  type Tracing,
} from '@tessera/tracing';
import { batchOperations, type BatchOperation } from '@tessera/tickets';

/**
 * The first recorded request has the span of the statement, with links to the others. Each of these has a span of its own
 * for the same time, with a link to that of the statement. So each trace shows what its request waited for, and the
 * statement is there once.
 *
 * @see docs/adr/0040-traces.md
 */
export function traceBatches(tracing: Tracing): void {
  tracing.trace(batchOperations, { begin: (operation) => begin(tracing, operation) });
}

function begin(tracing: Tracing, { statement, stores }: BatchOperation): BegunSpans {
  const requests = stores as readonly (Span | undefined)[];
  const [first, ...others] = requests.flatMap((span) => (span?.isRecording() ? span : []));
  // The statement runs in the context of the batch before it, whose request is over.
  if (first === undefined) return { current: withoutChildren(requests[0]), spans: [] };
  const attributes = {
    ...statementAttributes(statement),
    ...(stores.length > 1 && { 'db.operation.batch.size': stores.length }),
  };
  const own = tracing.start({ name: statement, kind: 'client', attributes, links: others }, first);
  const shared = others.map((request) =>
    tracing.start({ name: `shared ${statement}`, links: [own] }, request),
  );
  return { current: withoutChildren(own), spans: [own, ...shared] };
}
