// A fake OTLP/HTTP receiver, which stands for a collector. It keeps the spans that it gets as JSON.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { FakeHttpServer, reply, type Handler } from './fake-http-server.js';

/** A span, with its attributes as an object. */
export interface ReceivedSpan {
  readonly service: string;
  readonly name: string;
  /** 1 internal, 2 server, 3 client. */
  readonly kind: number;
  readonly traceId: string;
  readonly spanId: string;
  /** Empty without a parent. */
  readonly parentSpanId: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  /** Ids of linked spans. */
  readonly links: readonly string[];
  /** 0 unset, 2 error. */
  readonly status: number;
}

interface Attribute {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}

interface WireSpan extends Omit<ReceivedSpan, 'attributes' | 'links' | 'status' | 'parentSpanId'> {
  readonly parentSpanId?: string;
  readonly attributes: readonly Attribute[];
  readonly links?: readonly { readonly spanId: string }[];
  readonly status?: { readonly code?: number };
}

interface ExportRequest {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] };
    readonly scopeSpans: readonly { readonly spans: readonly WireSpan[] }[];
  }[];
}

export class OtlpReceiver {
  readonly spans: ReceivedSpan[] = [];
  /** What was received, as it was sent. */
  readonly bodies: string[] = [];

  private constructor(private readonly server: FakeHttpServer) {
    this.accept();
  }

  static async start(): Promise<OtlpReceiver> {
    return new OtlpReceiver(await FakeHttpServer.start());
  }

  get url(): string {
    return `${this.server.url}/v1/traces`;
  }

  /** Requests since the last change of the answers, also those that were not accepted. */
  get requests(): readonly IncomingMessage[] {
    return this.server.requests;
  }

  /** Keeps the spans of all further requests. */
  accept(): void {
    this.server.respondWith((response, request) => void this.receive(response, request));
  }

  /** Answers all further requests without keeping their spans. */
  respondWith(handler: Handler): void {
    this.server.respondWith(handler);
  }

  /** The received spans of a trace. */
  trace(traceId: string): readonly ReceivedSpan[] {
    return this.spans.filter((span) => span.traceId === traceId);
  }

  stop(): Promise<void> {
    return this.server.stop();
  }

  private async receive(response: ServerResponse, request: IncomingMessage): Promise<void> {
    const body = await text(request);
    this.bodies.push(body);
    this.spans.push(...spansOf(JSON.parse(body) as ExportRequest));
    reply(200, {})(response, request);
  }
}

function spansOf({ resourceSpans }: ExportRequest): readonly ReceivedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const service = String(objectOf(resource.attributes)['service.name']);
    return scopeSpans.flatMap(({ spans }) => spans.map((span) => toReceived(service, span)));
  });
}

function toReceived(service: string, span: WireSpan): ReceivedSpan {
  const { name, kind, traceId, spanId, parentSpanId = '' } = span;
  return {
    service,
    name,
    kind,
    traceId,
    spanId,
    parentSpanId,
    attributes: objectOf(span.attributes),
    links: (span.links ?? []).map((link) => link.spanId),
    status: span.status?.code ?? 0,
  };
}

function objectOf(attributes: readonly Attribute[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}
