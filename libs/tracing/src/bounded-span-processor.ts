// Passes ended spans to an exporter in batches, without ever waiting for it.
import { ExportResultCode, type ExportResult } from '@opentelemetry/core';
import {
  BatchSpanProcessor,
  type ReadableSpan,
  type SpanExporter,
  type SpanProcessor,
} from '@opentelemetry/sdk-trace';
import type { DroppedSpans } from './dropped-spans.js';

export interface Bounds {
  /** Ended spans in memory. Further ones are lost. */
  readonly maxSpans: number;
  /** In milliseconds, between two exports where there are few spans. */
  readonly interval: number;
  /** In milliseconds, of one export with its repetitions. */
  readonly exportTimeout: number;
  /** In milliseconds, at the end of the process. */
  readonly shutdownTimeout: number;
}

const MAX_BATCH = 512;

/** The batches are OpenTelemetry's, which does not tell how many spans it loses. */
export class BoundedSpanProcessor implements SpanProcessor {
  /** Ended spans that were neither exported nor lost. */
  private pending = 0;
  private readonly batches: BatchSpanProcessor;

  /** @param outside runs an export outside of any request */
  constructor(
    private readonly exporter: SpanExporter,
    private readonly bounds: Bounds,
    private readonly dropped: DroppedSpans,
    private readonly outside: (work: () => void) => void,
  ) {
    const { maxSpans, interval, exportTimeout } = bounds;
    this.batches = new BatchSpanProcessor({
      exporter: {
        export: (spans, done) => this.export(spans, done),
        shutdown: () => exporter.shutdown(),
      },
      maxQueueSize: maxSpans,
      maxExportBatchSize: Math.min(MAX_BATCH, maxSpans),
      scheduledDelayMillis: interval,
      // Ours comes first.
      exportTimeoutMillis: 2 * exportTimeout,
    });
  }

  onStart(): void {}

  onEnd(span: ReadableSpan): void {
    if (this.pending >= this.bounds.maxSpans) {
      this.dropped.add({ reason: 'queue-full', spans: 1 });
      return;
    }
    this.pending += 1;
    this.batches.onEnd(span);
  }

  forceFlush(): Promise<void> {
    return this.batches.forceFlush();
  }

  /** Exports what is there, and gives up after the limit. Never fails. */
  async shutdown(): Promise<void> {
    const { promise: timeout, resolve } = Promise.withResolvers<undefined>();
    const timer = setTimeout(() => resolve(undefined), this.bounds.shutdownTimeout);
    // Lost spans are counted by the export.
    await Promise.race([this.batches.shutdown().catch(() => {}), timeout]);
    clearTimeout(timer);
    if (this.pending > 0) this.dropped.add({ reason: 'shutdown', spans: this.pending });
    this.dropped.log();
  }

  private export(spans: ReadableSpan[], done: (result: ExportResult) => void): void {
    let isSettled = false;
    const settle = (result: ExportResult): void => {
      if (isSettled) return;
      isSettled = true;
      clearTimeout(timer);
      this.pending -= spans.length;
      if (result.code !== ExportResultCode.SUCCESS) {
        this.dropped.add({ reason: 'export-failed', spans: spans.length }, result.error);
      }
      done(result);
    };
    const error = new Error('no answer in time');
    const timer = setTimeout(
      () => settle({ code: ExportResultCode.FAILED, error }),
      this.bounds.exportTimeout,
    ).unref();
    this.outside(() => {
      try {
        this.exporter.export(spans, settle);
      } catch (thrown) {
        settle({ code: ExportResultCode.FAILED, error: thrown as Error });
      }
    });
  }
}
