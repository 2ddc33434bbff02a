import { describe, expect, test } from '@jest/globals';
import { assert, constantFrom, integer, property, record } from 'fast-check';
import { formatDuration, parseDuration } from './duration.js';

describe('a duration', () => {
  test.each([
    ['without a unit', '10'],
    ['with an unknown unit', '10w'],
    ['with units out of order', '30m1h'],
    ['with a unit twice', '1h1h'],
    ['below zero', '-5s'],
    ['with a fraction in the short form', '1.5h'],
    ['of a month, which has no fixed length', 'P1M'],
    ['of ISO designators alone', 'PT'],
    ['with a T and nothing after it', 'P1DT'],
    ['finer than a millisecond', 'PT0.0001S'],
    ['in upper case', '5M'],
    ['of no characters', ''],
    ['of one space', ' '],
    ['too long to be exact', '99999999999999d'],
    ['followed by another line', '5s\n5s'],
  ])('is refused %s', (_rule, written) => {
    expect(parseDuration(written)).toBeUndefined();
  });

  test.each([
    ['0s', 0],
    ['500ms', 500],
    ['10s', 10_000],
    ['5m', 300_000],
    ['8h', 28_800_000],
    ['1d', 86_400_000],
    ['1h30m', 5_400_000],
    ['1h 30m', 5_400_000],
    ['1d2h3m4s5ms', 93_784_005],
    ['PT8H', 28_800_000],
    ['P1DT2H3M4.005S', 93_784_005],
    ['PT1.5S', 1500],
    ['P2D', 172_800_000],
  ])('reads %s as %i ms', (written, milliseconds) => {
    expect(parseDuration(written)).toBe(milliseconds);
  });

  test.each([
    [0, '0s'],
    [1, '1ms'],
    [10_000, '10s'],
    [5_400_000, '1h30m'],
    [28_800_000, '8h'],
    [86_400_000, '1d'],
    [93_784_005, '1d2h3m4s5ms'],
  ])('of %i ms is written %s', (milliseconds, written) => {
    expect(formatDuration(milliseconds)).toBe(written);
  });

  test('is read as it is written', () => {
    assert(
      property(integer({ min: 0, max: Number.MAX_SAFE_INTEGER }), (milliseconds) => {
        expect(parseDuration(formatDuration(milliseconds))).toBe(milliseconds);
      }),
    );
  });

  const amount = integer({ min: 0, max: 10_000 });

  test('has the sum of its parts, in both notations', () => {
    const parts = record({
      d: amount,
      h: amount,
      m: amount,
      s: amount,
      ms: integer({ min: 0, max: 999 }),
    });
    assert(
      property(parts, ({ d, h, m, s, ms }) => {
        const total = (((d * 24 + h) * 60 + m) * 60 + s) * 1000 + ms;
        expect(parseDuration(`${d}d${h}h${m}m${s}s${ms}ms`)).toBe(total);
        const fraction = String(ms).padStart(3, '0');
        expect(parseDuration(`P${d}DT${h}H${m}M${s}.${fraction}S`)).toBe(total);
      }),
    );
  });

  test('scales with its number', () => {
    assert(
      property(amount, constantFrom('ms', 's', 'm', 'h', 'd'), (count, unit) => {
        expect(parseDuration(count + unit)).toBe(count * (parseDuration(`1${unit}`) ?? NaN));
      }),
    );
  });
});
