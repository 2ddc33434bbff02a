// The spans of a process: how they begin and end, which one is current, and where they go.
import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import {
  INVALID_SPAN_CONTEXT,
  isSpanContextValid,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Attributes,
  type Context,
  type Span,
  type Tracer,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources';
import {
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { logTraceIds, withoutRequest, type TraceIds } from '@tessera/logging';
import {
  productVersion,
  type EventChannel,
  type Observed,
  type OperationChannel,
  type Settled,
} from '@tessera/runtime';
import { agentOptions } from './agent-options.js';
import { BoundedSpanProcessor, type Bounds } from './bounded-span-processor.js';
import { DroppedSpans } from './dropped-spans.js';

export interface TracingOptions {
  /** `service.name` of the spans. */
  readonly service: string;
  /** Of an OTLP/HTTP receiver. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The share of traces that are recorded, where no caller has decided. */
  readonly sampleRatio: number;
  readonly bounds?: Partial<Bounds>;
}

const BOUNDS: Bounds = {
  maxSpans: 4_096,
  interval: 1_000,
  exportTimeout: 5_000,
  shutdownTimeout: 1_000,
};

const KINDS = {
  client: SpanKind.CLIENT,
  internal: SpanKind.INTERNAL,
  server: SpanKind.SERVER,
} as const;

export interface SpanDescription {
  /** Bounded by the code: never a text of a caller. */
  readonly name: string;
  /** Default `internal`. */
  readonly kind?: keyof typeof KINDS;
  /** Without tickets, passwords and other secrets. */
  readonly attributes?: Attributes;
  readonly links?: readonly Span[];
}

/** The spans that begin with an operation. */
export interface BegunSpans {
  /** The span that is current during the operation. */
  readonly current: Span;
  /** They end with the operation. */
  readonly spans: readonly Span[];
}

export interface OperationSpans<O extends object> {
  readonly begin: (operation: O) => BegunSpans | undefined;
  /** Attributes that are known at the end. */
  readonly ending?: (settled: Settled) => Attributes;
}

export class Tracing {
  /** Of which requests are traced; no other server of the process. */
  server: unknown;
  private readonly storage = new AsyncLocalStorage<Span>();
  private readonly provider: TracerProvider;
  private readonly tracer: Tracer;
  private readonly subscriptions: (() => void)[] = [];

  /** Log lines have the ids of the trace from now on. @param options whose URL is valid */
  constructor({ service, url, headers, sampleRatio, bounds }: TracingOptions) {
    const allBounds = { ...BOUNDS, ...bounds };
    const timeoutMillis = allBounds.exportTimeout;
    const processor = new BoundedSpanProcessor(
      new OTLPTraceExporter({
        url,
        headers: { ...headers },
        timeoutMillis,
        httpAgentOptions: agentOptions(),
      }),
      allBounds,
      new DroppedSpans(),
      (work) => withoutRequest(() => this.storage.exit(work)),
    );
    this.provider = new TracerProvider({
      resource: defaultResource().merge(
        resourceFromAttributes({
          'service.name': service,
          'service.version': productVersion(),
          'service.instance.id': randomUUID(),
        }),
      ),
      sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(sampleRatio) }),
      spanProcessors: [processor],
    });
    this.tracer = this.provider.getTracer('tessera', productVersion());
    logTraceIds(() => traceIdsOf(this.current));
  }

  /** The span of the current asynchronous context. */
  get current(): Span | undefined {
    return this.storage.getStore();
  }

  /** @param parent default none: the span begins a trace */
  start(
    { name, kind = 'internal', attributes = {}, links = [] }: SpanDescription,
    parent: Span | Context = ROOT_CONTEXT,
  ): Span {
    const context = 'spanContext' in parent ? trace.setSpan(ROOT_CONTEXT, parent) : parent;
    const linked = links.map((span) => ({ context: span.spanContext() }));
    return this.tracer.startSpan(name, { kind: KINDS[kind], attributes, links: linked }, context);
  }

  /** Traces each operation of a channel by a span below the current one, if that is recorded. */
  traceBelow<O extends object>(
    channel: OperationChannel<O>,
    describe: (operation: O) => SpanDescription,
    ending?: OperationSpans<O>['ending'],
  ): void {
    const begin = (operation: O): BegunSpans | undefined => {
      const parent = this.current;
      if (parent?.isRecording() !== true) return undefined;
      const span = this.start(describe(operation), parent);
      return { current: span, spans: [span] };
    };
    this.trace(channel, ending ? { begin, ending } : { begin });
  }

  trace<O extends object>(
    channel: OperationChannel<O>,
    { begin, ending }: OperationSpans<O>,
  ): void {
    const observe = (operation: O): Observed<Span> | undefined => {
      const begun = begin(operation);
      if (begun === undefined) return undefined;
      const { current: store, spans } = begun;
      const end = (settled: Settled): void => {
        if (spans.length > 0) endAll(spans, settled, ending?.(settled));
      };
      return { store, end };
    };
    this.subscriptions.push(channel.observe(this.storage, observe));
  }

  subscribe<E extends object>(channel: EventChannel<E>, subscriber: (event: E) => void): void {
    this.subscriptions.push(channel.subscribe(subscriber));
  }

  /** Makes a span current while the work of an event runs. */
  enter<E extends object>(channel: EventChannel<E>, spanOf: (event: E) => Span | undefined): void {
    this.subscriptions.push(channel.bind(this.storage, spanOf));
  }

  /** Exports what is left, within a second by default. */
  async close(): Promise<void> {
    for (const end of this.subscriptions.splice(0)) end();
    logTraceIds(() => undefined);
    await this.provider.shutdown();
  }
}

/** A span with the ids of another, below which nothing is recorded. */
export function withoutChildren(span: Span | undefined): Span {
  return trace.wrapSpanContext(span?.spanContext() ?? INVALID_SPAN_CONTEXT);
}

/** Without the error's message, which may quote a value. @param type of few values: a code or a class */
export function fail(span: Span, type: string): void {
  span.setAttribute('error.type', type);
  span.setStatus({ code: SpanStatusCode.ERROR });
}

function endAll(
  spans: readonly Span[],
  { error }: Settled,
  attributes: Attributes | undefined,
): void {
  for (const span of spans) {
    if (attributes !== undefined) span.setAttributes(attributes);
    if (error !== undefined) fail(span, errorTypeOf(error));
    span.end();
  }
}

function errorTypeOf(error: unknown): string {
  if (!(error instanceof Error)) return '_OTHER';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}

function traceIdsOf(span: Span | undefined): TraceIds | undefined {
  const context = span?.spanContext();
  return context && isSpanContextValid(context) ? context : undefined;
}
