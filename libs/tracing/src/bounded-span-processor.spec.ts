import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { ExportResultCode, type ExportResult } from '@opentelemetry/core';
import { TracerProvider, type ReadableSpan } from '@opentelemetry/sdk-trace';
import { until } from '../../../test/support/until.js';
import { BoundedSpanProcessor, type Bounds } from './bounded-span-processor.js';
import { DroppedSpans, droppedSpansEvents } from './dropped-spans.js';

type Export = (spans: readonly ReadableSpan[], done: (result: ExportResult) => void) => void;

const BOUNDS: Bounds = { maxSpans: 8, interval: 1, exportTimeout: 50, shutdownTimeout: 100 };

const lost: Record<string, number> = {};
let exported: string[];
let end: () => void;

beforeEach(() => {
  exported = [];
  for (const reason of Object.keys(lost)) Reflect.deleteProperty(lost, reason);
  end = droppedSpansEvents.subscribe(({ reason, spans }) => {
    lost[reason] = (lost[reason] ?? 0) + spans;
  });
});
afterEach(() => end());

/** Ends spans of these names. @returns how to shut down */
function open(send: Export, bounds: Partial<Bounds> = {}) {
  const exporter = { export: send, shutdown: () => Promise.resolve() };
  const all = { ...BOUNDS, ...bounds };
  const processor = new BoundedSpanProcessor(exporter, all, new DroppedSpans(), (work) => work());
  const provider = new TracerProvider({ spanProcessors: [processor] });
  const tracer = provider.getTracer('test');
  return {
    spans: (count: number): void => {
      for (let index = 0; index < count; index += 1) tracer.startSpan(`s${index}`).end();
    },
    shutdown: () => provider.shutdown(),
  };
}

const take: Export = (spans, done) => {
  exported.push(...spans.map(({ name }) => name));
  done({ code: ExportResultCode.SUCCESS });
};

describe('an exporter', () => {
  const failing: readonly (readonly [string, Export])[] = [
    [
      'that throws',
      () => {
        throw new Error('no');
      },
    ],
    [
      'that fails',
      (_spans, done) => done({ code: ExportResultCode.FAILED, error: new Error('no') }),
    ],
    ['that never answers', () => {}],
  ];

  test.each(failing)(
    '%s loses its spans, which are counted once, and gets the next ones',
    async (_, send) => {
      const sent: number[] = [];
      const { spans, shutdown } = open((batch, done) => {
        sent.push(batch.length);
        send(batch, done);
      });
      spans(3);
      await until('they are lost', () => lost['export-failed'] === 3);
      spans(2);
      await until('the next are lost', () => lost['export-failed'] === 5);
      expect(sent).toEqual([3, 2]);
      await shutdown();
      expect(lost).toEqual({ 'export-failed': 5 });
    },
  );

  test('that is slower than the spans loses those that it has no room for', async () => {
    const waiting: (() => void)[] = [];
    const { spans, shutdown } = open((batch, done) => waiting.push(() => take(batch, done)), {
      exportTimeout: 60_000,
    });
    spans(20);
    expect(lost).toEqual({ 'queue-full': 12 });
    await until('one batch is under way', () => waiting.length > 0);
    for (const answer of waiting.splice(0)) answer();
    spans(3);
    await until('the next batch is under way', () => waiting.length > 0);
    for (const answer of waiting.splice(0)) answer();
    await shutdown();
    expect(exported).toHaveLength(11);
    expect(lost).toEqual({ 'queue-full': 12 });
  });

  test('that hangs at the end of the process is given up, and its spans are counted', async () => {
    const { spans, shutdown } = open(() => {}, { interval: 60_000, exportTimeout: 1_000 });
    spans(4);
    await shutdown();
    expect(lost).toEqual({ shutdown: 4 });
  });

  test('gets the remaining spans at the end of the process', async () => {
    const { spans, shutdown } = open(take, { interval: 60_000 });
    spans(2);
    expect(exported).toEqual([]);
    await shutdown();
    expect(exported).toEqual(['s0', 's1']);
    expect(lost).toEqual({});
  });
});
