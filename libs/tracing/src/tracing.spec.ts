// Spans with receivers of every kind. The receivers are fake.
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { reply, type Handler } from '../../../test/support/fake-http-server.js';
import { OtlpReceiver } from '../../../test/support/otlp-receiver.js';
import { until } from '../../../test/support/until.js';
import { droppedSpansEvents, type DroppedSpansEvent } from './dropped-spans.js';
import { parentOf } from './trace-parent.js';
import { Tracing, type TracingOptions } from './tracing.js';

const BOUNDS = { interval: 1, exportTimeout: 300, shutdownTimeout: 300 };
const PARENT = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331';

let receiver: OtlpReceiver;
let lost: DroppedSpansEvent[];
let end: () => void;
const open: Tracing[] = [];

beforeEach(async () => {
  receiver = await OtlpReceiver.start();
  lost = [];
  end = droppedSpansEvents.subscribe((event) => lost.push(event));
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((tracing) => tracing.close()));
  end();
  await receiver.stop();
});

function trace(options: Partial<TracingOptions> = {}): Tracing {
  const { url } = receiver;
  const defaults = { service: 'test', url, headers: {}, sampleRatio: 1, bounds: BOUNDS };
  const tracing = new Tracing({ ...defaults, ...options });
  open.push(tracing);
  return tracing;
}

const names = () => receiver.spans.map(({ name }) => name);

describe('a receiver', () => {
  test.each<[string, Handler]>([
    ['that answers 500', reply(500, 'no')],
    ['that is overloaded', reply(503, '')],
    ['that asks to come back in an hour', reply(429, '', { 'retry-after': '3600' })],
    ['that refuses the spans', reply(400, { message: 'no' })],
    ['that leads elsewhere', reply(302, '', { location: 'http://127.0.0.1:1/' })],
    ['that cuts the connection', (_response, { socket }) => void socket.destroy()],
    ['that never answers', () => {}],
    [
      'whose answer never ends',
      (response) => {
        response.writeHead(200).write('{');
        const timer = setInterval(() => response.write(' '), 50);
        response.once('close', () => clearInterval(timer));
      },
    ],
  ])('%s loses the spans of then, and gets the next ones', async (_, handler) => {
    const tracing = trace();
    receiver.respondWith(handler);
    tracing.start({ name: 'lost' }).end();
    await until('it is counted', () => lost.length > 0);
    expect(lost).toEqual([{ reason: 'export-failed', spans: 1 }]);
    receiver.accept();
    tracing.start({ name: 'next' }).end();
    await until('the next one has come', () => names().includes('next'));
    expect(names()).toEqual(['next']);
    expect(lost).toHaveLength(1);
  });

  test('that is away loses the spans of then', async () => {
    const tracing = trace({ url: 'http://127.0.0.1:1/v1/traces' });
    tracing.start({ name: 'lost' }).end();
    await until('it is counted', () => lost.length > 0);
    expect(lost).toEqual([{ reason: 'export-failed', spans: 1 }]);
  });

  test('gets the headers of the settings', async () => {
    const tracing = trace({ headers: { 'x-key': 'k' } });
    tracing.start({ name: 'a' }).end();
    await until('it has come', () => names().includes('a'));
    expect(receiver.requests[0]?.headers).toMatchObject({ 'x-key': 'k' });
  });
});

describe('a trace is recorded', () => {
  test.each([
    ['where the share is 1', 1, undefined, true],
    ['where the share is 0, but the caller records it', 0, '01', true],
    ['not where the share is 0', 0, undefined, false],
    ['not where the share is 1, but the caller does not record it', 1, '00', false],
  ])('%s', async (_, sampleRatio, flags, isRecorded) => {
    const tracing = trace({ sampleRatio });
    const parent = flags && parentOf({ traceparent: `${PARENT}-${flags}` });
    const span = parent ? tracing.start({ name: 'a' }, parent) : tracing.start({ name: 'a' });
    tracing.start({ name: 'b' }, span).end();
    span.end();
    await tracing.close();
    expect(names()).toEqual(isRecorded ? ['b', 'a'] : []);
  });
});
