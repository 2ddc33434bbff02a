// Requests that share a statement, each in a trace of its own, on a real database and a fake receiver.
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { poolOf } from '@tessera/database';
import { EventChannel } from '@tessera/runtime';
import { PostgresTicketRegistry, type TicketId } from '@tessera/tickets';
import { traceStatements, Tracing, withoutChildren, type Span } from '@tessera/tracing';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/database.js';
import { OtlpReceiver } from '../../../../test/support/otlp-receiver.js';
import { until } from '../../../../test/support/until.js';
import { traceBatches } from './batch-spans.js';

const HOUR = 3_600_000;
const LIFETIMES = {
  grantingTicketMax: HOUR,
  grantingTicketIdle: HOUR,
  rememberedGrantingTicket: HOUR,
  serviceTicket: HOUR,
  proxyTicket: HOUR,
};
const requests = new EventChannel<{ readonly span: Span }>('test:requests');

let receiver: OtlpReceiver;
let tracing: Tracing;
let database: TestDatabase;
let registry: PostgresTicketRegistry;
let tgt: TicketId;

beforeAll(async () => {
  receiver = await OtlpReceiver.start();
  const { url } = receiver;
  tracing = new Tracing({
    service: 'test',
    url,
    headers: {},
    sampleRatio: 1,
    bounds: { interval: 1 },
  });
  traceStatements(tracing);
  traceBatches(tracing);
  tracing.enter(requests, ({ span }) => span);
  database = await createTestDatabase();
  registry = new PostgresTicketRegistry(poolOf(database.dataSource), {
    lifetimes: LIFETIMES,
  });
  tgt = await registry.createTicketGrantingTicket({
    principal: { id: 'ann', attributes: {} },
    handler: 'test',
    credentialType: 'test',
    authenticatedAt: new Date(),
    methods: [],
  });
});
beforeEach(() => {
  receiver.spans.length = 0;
});
afterAll(async () => {
  await tracing.close();
  await database.drop();
  await receiver.stop();
});

/** A request: the span below which its statement is, and the service that it asks a ticket for. */
interface Asked {
  readonly name: string;
  readonly isRecorded?: boolean;
  readonly service?: string;
}

/** Grants a ticket for each request: one statement for the first, and then one for all others. */
async function grantAll(
  asked: readonly Asked[],
): Promise<readonly PromiseSettledResult<unknown>[]> {
  const spans = asked.map(({ name }) => tracing.start({ name }));
  const grants = asked.map(({ isRecorded = true, service = 'https://app/' }, index) => {
    const span = spans[index] as Span;
    const { promise, resolve } = Promise.withResolvers<unknown>();
    requests.run({ span: isRecorded ? span : withoutChildren(span) }, () =>
      resolve(
        registry.grantServiceTicket({
          grantingTicket: tgt,
          service,
          withCredentials: false,
          newLoginOnly: false,
        }),
      ),
    );
    return promise;
  });
  const outcomes = await Promise.allSettled(grants);
  for (const span of spans) span.end();
  await until('all traces are exported', () =>
    asked.every(({ name }) => receiver.spans.some((span) => span.name === name)),
  );
  return outcomes;
}

/** Spans as `parent > name (kind) -> linked`, by the names of their requests, sorted. */
function received(): readonly string[] {
  const named = (spanId: string): string => {
    const span = receiver.spans.find((each) => each.spanId === spanId);
    const parent = span?.parentSpanId ? `${named(span.parentSpanId)} > ` : '';
    return span === undefined ? 'unknown' : parent + span.name;
  };
  return receiver.spans
    .filter(({ parentSpanId }) => parentSpanId !== '')
    .map(({ spanId, kind, links, status, attributes }) => {
      const size = attributes['db.operation.batch.size'];
      const facts = [kind === 3 ? 'client' : 'internal', size && `of ${size}`, status && 'failed'];
      const linked = links.map(named).join(', ');
      return `${named(spanId)}: ${facts.filter(Boolean).join(' ')}${linked && ` -> ${linked}`}`;
    })
    .toSorted();
}

test('a statement is in the trace of the first request, and each other trace has the time of it', async () => {
  await grantAll([{ name: 'a' }, { name: 'b' }, { name: 'c' }, { name: 'd' }]);
  expect(received()).toEqual([
    'a > grant: client',
    'b > grant: client of 3 -> c, d',
    'c > shared grant: internal -> b > grant',
    'd > shared grant: internal -> b > grant',
  ]);
});

test('a statement is in the trace of the first request that is recorded', async () => {
  await grantAll([
    { name: 'a' },
    { name: 'b', isRecorded: false },
    { name: 'c' },
    { name: 'd', isRecorded: false },
  ]);
  expect(received()).toEqual(['a > grant: client', 'c > grant: client of 3']);
});

test('a statement of requests that are not recorded is in no trace, also not in that of the one before', async () => {
  await grantAll([
    { name: 'a' },
    { name: 'b', isRecorded: false },
    { name: 'c', isRecorded: false },
  ]);
  expect(received()).toEqual(['a > grant: client']);
});

test('a statement that fails for one of its requests is run again for each, in its own trace', async () => {
  const outcomes = await grantAll([
    { name: 'a' },
    { name: 'b' },
    { name: 'c', service: 'https://app/\0' },
  ]);
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected']);
  expect(received()).toEqual([
    'a > grant: client',
    'b > grant: client',
    'b > grant: client of 2 failed -> c',
    'c > grant: client failed',
    'c > shared grant: internal failed -> b > grant',
  ]);
});
