import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { configureLogging, withRequest } from '@tessera/logging';
import { DroppedSpans } from './dropped-spans.js';

const MINUTE = 60_000;

let lines: Readonly<Record<string, unknown>>[];
let now: number;
let dropped: DroppedSpans;

beforeEach(() => {
  lines = [];
  now = 0;
  dropped = new DroppedSpans(() => now);
  const write = (line: string): unknown => lines.push(JSON.parse(line));
  configureLogging({ application: 'test', levels: {}, write });
});
afterEach(() => configureLogging({ application: 'test', levels: { root: 'warn' } }));

const counted = () => lines.map(({ spans, cause }) => [spans, cause]);

test('lost spans are logged at once, and then not more than once a minute', () => {
  const error = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
  dropped.add({ reason: 'export-failed', spans: 3 }, error);
  for (let index = 0; index < 100; index += 1) dropped.add({ reason: 'queue-full', spans: 1 });
  expect(counted()).toEqual([[3, 'ECONNREFUSED connect']]);
  now += MINUTE;
  dropped.add({ reason: 'queue-full', spans: 1 });
  expect(counted()).toEqual([
    [3, 'ECONNREFUSED connect'],
    [101, 'queue-full'],
  ]);
});

test('lost spans that no line has counted are logged at the end', () => {
  dropped.log();
  dropped.add({ reason: 'queue-full', spans: 1 });
  dropped.add({ reason: 'shutdown', spans: 4 });
  dropped.log();
  dropped.log();
  expect(counted()).toEqual([
    [1, 'queue-full'],
    [4, 'shutdown'],
  ]);
});

test('the line belongs to no request', () => {
  withRequest({ id: 'r1' }, () => dropped.add({ reason: 'queue-full', spans: 1 }));
  expect(lines).toEqual([expect.objectContaining({ logger: 'tracing', level: 'warn' })]);
  expect(lines[0]).not.toHaveProperty('requestId');
});
