import { describe, expect, test } from '@jest/globals';
import { parseExpiry } from './expiry.js';

describe('parseExpiry', () => {
  test.each([
    '',
    'tomorrow',
    'Never',
    '2027',
    '2027-06',
    '30.06.2027',
    '2027-13-01',
    '2027-02-30',
    '2027-06-30T25:00Z',
    '2027-06-30T12:00',
    '2027-06-30 12:00Z',
    '2027-06-30T12:00+25:00',
    '2027-06-30Z',
    '1e9',
  ])('refuses %p', (text) => {
    expect(parseExpiry(text)).toBeUndefined();
  });

  test.each([
    ['2027-06-30', '2027-06-30T00:00:00.000Z'],
    ['2028-02-29', '2028-02-29T00:00:00.000Z'],
    ['2027-06-30T18:00Z', '2027-06-30T18:00:00.000Z'],
    ['2027-06-30T18:00:30.5+02:00', '2027-06-30T16:00:30.500Z'],
  ])('reads %p as %s', (text, moment) => {
    expect(parseExpiry(text)?.toISOString()).toBe(moment);
  });

  test('reads never as null', () => {
    expect(parseExpiry('never')).toBeNull();
  });
});
