import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { assert, constantFrom, property, array, record } from 'fast-check';
import type { AuditEvent } from '@tessera/audit';
import { currentRequestId, withRequest } from '@tessera/logging';
import { type Read, ConfigReadCounter } from './config-read-counter.js';

const READ: Read = {
  principal: 'orders',
  clientAddress: '192.0.2.1',
  subject: 'orders/prod',
  outcome: 'success',
  version: 'c1',
};
const { version, ...EVENT } = { action: 'READ_CONFIG', ...READ } as const;
const MINUTE_MS = 60_000;

let events: AuditEvent[];
let reads: ConfigReadCounter;

beforeEach(() => {
  jest.useFakeTimers();
  events = [];
  reads = new ConfigReadCounter((event) => events.push(event));
});
afterEach(() => {
  jest.useRealTimers();
});

function repeat(times: number, read = READ): void {
  for (let index = 0; index < times; index += 1) reads.add(read);
}

test('a hundred equal reads are one event at once, and one with their number after a minute', () => {
  repeat(100);
  expect(events).toEqual([{ ...EVENT, details: { version } }]);
  jest.advanceTimersByTime(MINUTE_MS - 1);
  expect(events).toHaveLength(1);
  jest.advanceTimersByTime(1);
  expect(events.slice(1)).toEqual([{ ...EVENT, details: { version, count: 99 } }]);
});

test('a read that is not repeated has one event', () => {
  repeat(1);
  jest.advanceTimersByTime(10 * MINUTE_MS);
  expect(events).toHaveLength(1);
});

test('the next minute begins with an event at once', () => {
  repeat(2);
  jest.advanceTimersByTime(MINUTE_MS);
  repeat(1);
  expect(events).toHaveLength(3);
});

test.each<[string, Partial<Read>]>([
  ['another client', { principal: 'billing' }],
  ['no client', { principal: undefined }],
  ['another address', { clientAddress: '192.0.2.2' }],
  ['another environment', { subject: 'orders/dev' }],
  ['a refusal', { outcome: 'failure', reason: 'LABEL_UNKNOWN' }],
])('%s is another read', (_rule, change) => {
  repeat(2);
  repeat(2, { ...READ, ...change });
  reads.flush();
  expect(events.map(({ details }) => details?.['count'])).toEqual([undefined, undefined, 1, 1]);
});

test('the count has the last version of the minute', () => {
  repeat(1);
  repeat(1, { ...READ, version: 'c2' });
  reads.flush();
  expect(events.at(-1)?.details).toEqual({ version: 'c2', count: 1 });
});

test('an event without version and count has no details', () => {
  repeat(1, { ...READ, version: null });
  expect(events).toEqual([EVENT]);
});

test('a count belongs to no request', () => {
  const ids: unknown[] = [];
  reads = new ConfigReadCounter(() => ids.push(currentRequestId()));
  withRequest({ id: 'r1' }, () => repeat(2));
  jest.advanceTimersByTime(MINUTE_MS);
  expect(ids).toEqual(['r1', undefined]);
});

test('many different reads are counted early, and none is lost', () => {
  for (let round = 0; round < 2; round += 1) {
    for (let index = 0; index < 20_000; index += 1) {
      repeat(2, { ...READ, subject: `orders/${index}` });
    }
  }
  expect(events.length).toBeGreaterThan(40_000);
  reads.flush();
  expect(total()).toBe(80_000);
});

test('the events of any reads add up to them', () => {
  const choice = record({
    subject: constantFrom('a', 'b'),
    principal: constantFrom('x', undefined),
  });
  assert(
    property(array(choice), (choices) => {
      events = [];
      for (const each of choices) repeat(1, { ...READ, ...each });
      reads.flush();
      expect(total()).toBe(choices.length);
    }),
  );
});

/** The number of reads that the events stand for. */
function total(): number {
  return events.reduce((sum, { details }) => sum + Number(details?.['count'] ?? 1), 0);
}
