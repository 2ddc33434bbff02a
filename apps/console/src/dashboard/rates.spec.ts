import { describe, expect, test } from '@jest/globals';
import { pathOf, topOf } from './chart-path.js';
import { readMetrics, sum } from './metrics-text.js';
import { perMinute, quantileOf, type Reading } from './rates.js';

const reading = (at: number, text: string): Reading => ({ at, samples: readMetrics(text) });

describe('the text of metrics', () => {
  test('has names, labels with escapes, and values', () => {
    const text = '# HELP a b\na 1\nb{x="1,2",y="\\"\\\\\\n"} 2.5e3\nc_bucket{le="+Inf"} +Inf\n';
    expect(readMetrics(text)).toEqual([
      { name: 'a', labels: {}, value: 1 },
      { name: 'b', labels: { x: '1,2', y: '"\\\n' }, value: 2_500 },
      { name: 'c_bucket', labels: { le: '+Inf' }, value: Number.POSITIVE_INFINITY },
    ]);
  });

  test('is summed over the series with some labels', () => {
    const samples = readMetrics('a{x="1",y="1"} 1\na{x="1",y="2"} 2\na{x="2"} 4\nb 8\n');
    expect([sum(samples, 'a'), sum(samples, 'a', { x: '1' }), sum(samples, 'c')]).toEqual([
      7, 3, 0,
    ]);
  });
});

describe('a rate', () => {
  test('is that of a minute', () => {
    expect(perMinute(reading(0, 'a 10'), reading(5_000, 'a 12'), 'a')).toBe(24);
  });

  test.each([
    ['a counter that began again', 5_000, 'a 1'],
    ['no time in between', 0, 'a 12'],
  ])('is unknown for %s', (_, at, text) => {
    expect(perMinute(reading(0, 'a 10'), reading(at, text), 'a')).toBeUndefined();
  });
});

describe('a quantile', () => {
  const buckets = (...counts: readonly number[]): string =>
    ['0.1', '0.5', '+Inf'].map((le, at) => `t_bucket{le="${le}"} ${counts[at]}`).join('\n');
  const before = reading(0, buckets(5, 5, 5));

  test.each([
    [0.5, [15, 15, 15], 0.05],
    [0.75, [5, 15, 15], 0.4],
    [0.99, [5, 5, 15], 0.5],
    [0.5, [5, 5, 5], undefined],
  ])('%d of %j is %p', (quantile, counts, expected) => {
    const value = quantileOf(before, reading(1, buckets(...counts)), 't', quantile);
    if (expected === undefined) expect(value).toBeUndefined();
    else expect(value).toBeCloseTo(expected);
  });
});

test('a line has the newest value at the right, and a gap where there is none', () => {
  expect(pathOf([0, undefined, 10, 5], 5, 10)).toBe('M80.0 96.0M240.0 0.0L320.0 48.0');
});

test.each([
  [[], 1],
  [[0, undefined], 1],
  [[0.004, 0.002], 0.005],
  [[1], 1],
  [[12, 24], 50],
  [[61], 100],
])('the scale of %j ends at %d', (values, top) => {
  expect(topOf(values)).toBeCloseTo(top);
});
