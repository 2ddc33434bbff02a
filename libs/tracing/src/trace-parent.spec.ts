import { describe, expect, test } from '@jest/globals';
import { ROOT_CONTEXT, trace, type SpanContext } from '@opentelemetry/api';
import { assert, constantFrom, oneof, property, stringMatching, tuple } from 'fast-check';
import { anyText } from '../../../test/support/any-text.js';
import { parentOf } from './trace-parent.js';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const SPAN = 'b7ad6b7169203331';

const parent = (traceparent: string): SpanContext | undefined =>
  trace.getSpanContext(parentOf({ traceparent }));

describe('traceparent', () => {
  test.each([
    ['empty', ''],
    ['of one word', 'x'],
    ['without flags', `00-${TRACE}-${SPAN}`],
    ['with a trace id of zeros', `00-${'0'.repeat(32)}-${SPAN}-01`],
    ['with a span id of zeros', `00-${TRACE}-${'0'.repeat(16)}-01`],
    ['with a short trace id', `00-${TRACE.slice(1)}-${SPAN}-01`],
    ['in capitals', `00-${TRACE.toUpperCase()}-${SPAN}-01`],
    ['of the version ff, which is invalid', `ff-${TRACE}-${SPAN}-01`],
    ['of version 00 with more than that version has', `00-${TRACE}-${SPAN}-01-x`],
    ['given twice, which Node joins', `00-${TRACE}-${SPAN}-01, 00-${TRACE}-${SPAN}-01`],
    ['with a line break in it', `00-${TRACE}-${SPAN}-01\n\n`],
  ])('is ignored: %s', (_, header) => {
    expect(parent(header)).toBeUndefined();
  });

  test.each([
    ['not sampled', `00-${TRACE}-${SPAN}-00`, 0],
    ['sampled', `00-${TRACE}-${SPAN}-01`, 1],
    ['of a later version, with more than we know', `01-${TRACE}-${SPAN}-01-x`, 1],
  ])('is accepted: %s', (_, header, traceFlags) => {
    expect(parent(header)).toEqual({ traceId: TRACE, spanId: SPAN, traceFlags, isRemote: true });
  });

  test("is accepted without the caller's tracestate", () => {
    const headers = { traceparent: `00-${TRACE}-${SPAN}-01`, tracestate: 'a=Mellon' };
    expect(trace.getSpanContext(parentOf(headers))?.traceState).toBeUndefined();
  });

  test('of any form never throws, and gives valid ids or none', () => {
    const hex = stringMatching(/^[0-9a-f]{0,40}$/);
    const close = tuple(hex, hex, hex, hex, constantFrom('-', '_', '', ' ')).map(
      ([version, traceId, spanId, flags, between]) =>
        [version, traceId, spanId, flags].join(between),
    );
    assert(
      property(oneof(anyText(), close), (header) => {
        const context = parentOf({ traceparent: header });
        const ids = trace.getSpanContext(context);
        if (ids === undefined) expect(context).toBe(ROOT_CONTEXT);
        else expect(trace.isSpanContextValid(ids)).toBe(true);
      }),
    );
  });
});
