import { expect, test } from '@jest/globals';
import { assert, integer, property } from 'fast-check';
import { contrast, readableOn, textColorOn } from './contrast.js';

// The examples of WCAG's own tools.
test.each([
  ['#000000', '#ffffff', 21],
  ['#777777', '#ffffff', 4.48],
  ['#ffd400', '#ffffff', 1.43],
])('the contrast of %s and %s is %d', (one, other, ratio) =>
  expect(contrast(one, other)).toBeCloseTo(ratio, 1),
);

test('every colour becomes readable on the cards, and carries readable text', () => {
  assert(
    property(integer({ min: 0, max: 0xffffff }), (value) => {
      const color = `#${value.toString(16).padStart(6, '0')}`;
      for (const card of ['#ffffff', '#191f29']) {
        expect(contrast(readableOn(card, color), card)).toBeGreaterThanOrEqual(4.5);
      }
      expect(contrast(textColorOn(color), color)).toBeGreaterThanOrEqual(4.5);
    }),
  );
});

test('a colour that is readable stays as it is', () => {
  expect(readableOn('#ffffff', '#3346d3')).toBe('#3346d3');
});
