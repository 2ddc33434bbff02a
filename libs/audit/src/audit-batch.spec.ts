// How a batch encodes records, and what later batches find in its memory.
import { expect, test } from '@jest/globals';
import { AuditBatch } from './audit-batch.js';
import type { AuditRecord } from './audit-event.js';

const occurredAt = new Date('2031-01-01T00:00:00.250Z');

function batchOf(principals: readonly string[]): AuditBatch {
  const batch = new AuditBatch({ occurredAt } as AuditRecord);
  for (const principal of principals) batch.add({ occurredAt, principal } as AuditRecord);
  return batch;
}

const principalsIn = ({ events }: AuditBatch): unknown[] =>
  (JSON.parse(events.toString()) as unknown[][]).map((fields) => fields[4]);

test('records larger than the memory at the start are kept whole', () => {
  const principals = ['a', 'ž'.repeat(40_000), '猫'.repeat(90_000), 'b'];
  expect(principalsIn(batchOf(principals))).toEqual(principals);
});

test('a batch has none of the records of an earlier one, whose memory it uses', () => {
  const earlier = batchOf(['first', 'second', 'third']);
  const memory = earlier.events.buffer;
  earlier.release();
  const later = batchOf(['x']);
  expect(later.events.buffer).toBe(memory);
  expect(principalsIn(later)).toEqual(['x']);
});

test('memory beyond a megabyte is not kept for later batches', () => {
  const large = batchOf(['x'.repeat(700_000)]);
  const memory = large.events.buffer;
  large.release();
  const later = [batchOf(['x']), batchOf(['x']), batchOf(['x'])];
  expect(later.map(({ events }) => events.buffer)).not.toContain(memory);
});

test('a batch that still waits keeps its memory', () => {
  const waiting = batchOf(['a']);
  batchOf(['b']).release();
  batchOf(['c']).release();
  const later = [batchOf(['d']), batchOf(['e'])];
  expect([waiting, ...later].map(principalsIn)).toEqual([['a'], ['d'], ['e']]);
});
