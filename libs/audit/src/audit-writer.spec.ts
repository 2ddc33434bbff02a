import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { configureLogging } from '@tessera/logging';
import { EventChannel } from '@tessera/runtime';
import type { AuditRecord } from './audit-event.js';
import { AuditWriter, type AuditWriterEvent } from './audit-writer.js';

const CAPACITY = 20_000;
const UNAVAILABLE = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });

let inserted: number[];
/** The difference between the id and the number of each record, in every attempt to insert it. */
let offsets: Set<number>;
let insert: (records: readonly number[]) => Promise<void>;
let writer: AuditWriter;
/** As the metrics count. */
let counts: { written: number; lost: number; waiting: number };
let endCounting: () => void;
let lines: { readonly msg: string; readonly lost?: number }[];

beforeEach(() => {
  jest.useFakeTimers();
  inserted = [];
  offsets = new Set();
  insert = () => Promise.resolve();
  writer = new AuditWriter({
    async insert(records, firstId) {
      const given = records.map(({ details }) => details as unknown as number);
      given.forEach((number, at) => offsets.add(firstId + at - number));
      await insert(given);
      inserted.push(...given);
    },
  });
  counts = { written: 0, lost: 0, waiting: 0 };
  endCounting = new EventChannel<AuditWriterEvent>('tessera:audit-writes').subscribe((event) => {
    if (event.type !== 'postponed') counts[event.type] += event.events;
    counts.waiting = event.waiting;
  });
  lines = [];
  const write = (line: string): void => void lines.push(JSON.parse(line) as (typeof lines)[0]);
  configureLogging({ application: 'test', levels: {}, write });
});
afterEach(() => {
  endCounting();
  jest.useRealTimers();
  configureLogging({ application: 'test', levels: { root: 'warn' } });
});

const add = (from: number, to: number): void => {
  for (let n = from; n < to; n += 1) {
    writer.add({ occurredAt: new Date(), details: n as unknown } as AuditRecord);
  }
};
const numbers = (from: number, to: number): number[] =>
  Array.from({ length: to - from }, (_, index) => from + index);
const told = (): string[] => lines.map(({ msg, lost }) => (lost ? `${lost} ${msg}` : msg));

test('records are written in their order, together, within 250 ms', async () => {
  add(0, 2_500);
  await jest.advanceTimersByTimeAsync(249);
  expect(inserted).toEqual([]);
  await jest.advanceTimersByTimeAsync(1);
  expect(inserted).toEqual(numbers(0, 2_500));
  expect(counts).toEqual({ waiting: 0, written: 2_500, lost: 0 });
});

test('a record that is added during a write is written too, and none twice', async () => {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  insert = async () => {
    await promise;
  };
  add(0, 10);
  await jest.advanceTimersByTimeAsync(250);
  add(10, 20);
  resolve(undefined);
  await jest.advanceTimersByTimeAsync(249);
  expect(inserted).toEqual(numbers(0, 10));
  await jest.advanceTimersByTimeAsync(1);
  expect(inserted).toEqual(numbers(0, 20));
});

test('of very many refused events the number is written, when their second is over or at a shutdown', async () => {
  jest.setSystemTime(Date.parse('2026-01-01T10:00:00.500Z'));
  const refuse = (times: number): void => {
    const refused = { outcome: 'failure', clientAddress: '192.0.2.1', details: 0 as unknown };
    for (let n = 0; n < times; n += 1) {
      writer.add({ ...refused, occurredAt: new Date() } as AuditRecord);
    }
  };
  refuse(25);
  await jest.advanceTimersByTimeAsync(499);
  expect(inserted).toHaveLength(20);
  await jest.advanceTimersByTimeAsync(251);
  expect(inserted.slice(20)).toEqual([{ count: 5 }]);
  refuse(3);
  await writer.stop();
  expect(inserted.slice(21)).toEqual([{ count: 3 }]);
  expect(counts).toMatchObject({ written: 22, lost: 0 });
});

describe('while the database is unavailable', () => {
  beforeEach(() => {
    insert = () => Promise.reject(UNAVAILABLE);
  });

  test('records wait, and are written when it is back', async () => {
    add(0, 5);
    await jest.advanceTimersByTimeAsync(10_000);
    add(5, 8);
    expect(counts).toEqual({ waiting: 5, written: 0, lost: 0 });
    insert = () => Promise.resolve();
    await jest.advanceTimersByTimeAsync(1_000);
    expect(inserted).toEqual(numbers(0, 8));
    expect(offsets.size).toBe(1);
    expect(told()).toEqual([]);
  });

  test('the first ones are kept; the loss of later ones is counted, and logged twice', async () => {
    add(0, CAPACITY + 300);
    await jest.advanceTimersByTimeAsync(5_000);
    expect(counts).toEqual({ waiting: CAPACITY, written: 0, lost: 300 });
    insert = () => Promise.resolve();
    await jest.advanceTimersByTimeAsync(1_000);
    expect(inserted).toEqual(numbers(0, CAPACITY));
    expect(told()).toEqual(['audit events are being lost', '300 audit events were lost']);
  });

  test('a shutdown waits for two seconds, and says what was lost', async () => {
    insert = () => new Promise(() => {});
    add(0, 3);
    let ended = false;
    const end = writer.stop().then(() => (ended = true));
    await jest.advanceTimersByTimeAsync(1_999);
    expect(ended).toBe(false);
    await jest.advanceTimersByTimeAsync(1);
    await end;
    expect(told()).toEqual(['3 audit events were lost: they could not be written']);
    expect(counts).toEqual({ waiting: 0, written: 0, lost: 3 });
  });
});

test('a batch that the database refuses is lost alone', async () => {
  insert = (records) =>
    records.includes(3)
      ? Promise.reject(Object.assign(new Error('no'), { code: '22P05' }))
      : Promise.resolve();
  add(0, 5);
  await jest.advanceTimersByTimeAsync(250);
  add(5, 9);
  await jest.advanceTimersByTimeAsync(250);
  expect(inserted).toEqual(numbers(5, 9));
  expect(offsets.size).toBe(1);
  expect(counts).toEqual({ waiting: 0, written: 4, lost: 5 });
  expect(told()).toEqual([
    'audit events cannot be written',
    'audit events are being lost',
    '5 audit events were lost',
  ]);
});

test('a shutdown writes what was added during the last write', async () => {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  insert = async () => {
    await promise;
  };
  add(0, 1);
  await jest.advanceTimersByTimeAsync(250);
  add(1, 2);
  const end = writer.stop();
  resolve(undefined);
  await end;
  expect(inserted).toEqual([0, 1]);
});

test('a record that is added at the very end of a write is written too', async () => {
  add(0, 1);
  const { insert: original } = { insert };
  insert = async (records) => {
    await original(records);
    insert = original;
    void Promise.resolve()
      .then(() => Promise.resolve())
      .then(() => Promise.resolve())
      .then(() => Promise.resolve())
      .then(() => add(1, 2));
  };
  await jest.advanceTimersByTimeAsync(500);
  expect(inserted).toEqual([0, 1]);
});

test('a shutdown writes what waits', async () => {
  add(0, 3);
  await writer.stop();
  expect(inserted).toEqual([0, 1, 2]);
  expect(told()).toEqual([]);
});
