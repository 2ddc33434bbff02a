import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { readExpiryDate } from './apereo-expiry.js';

test.each([
  '',
  'never',
  '2027',
  '2027-06',
  '2027-13-01',
  '2027-02-30',
  '2027-06-30T24:00',
  '2027-06-30T12:60',
  '2027-06-30T12:00:60',
  '2027-06-30Z',
  '2027-06-30 12:00',
  '06/31/2027',
  '13/01/2027',
  '06/30/2027 13:00 PM',
  '06/30/2027 0:30 AM',
  '30.06.2027',
  ' 2027-06-30',
])('%j is no date', (text) => {
  expect(readExpiryDate(text)).toBeUndefined();
});

// A day counts to its end, and a time without a zone in the earliest one, 14 hours ahead of UTC.
test.each([
  ['2027-06-30', '2027-06-30T10:00:00.000Z', true],
  ['2028-02-29', '2028-02-29T10:00:00.000Z', true],
  ['2027-06-30T18:00', '2027-06-30T04:00:00.000Z', true],
  ['2027-06-30T18:00:30.123456', '2027-06-30T04:00:30.000Z', true],
  ['2027-06-30T18:00:00Z', '2027-06-30T18:00:00.000Z', false],
  ['2027-06-30T18:00:00+02:00', '2027-06-30T16:00:00.000Z', false],
  ['2027-06-30T18:00:00-05:30', '2027-06-30T23:30:00.000Z', false],
  ['2027-06-30T18:00:00+02:00[Europe/Berlin]', '2027-06-30T16:00:00.000Z', false],
  ['06/30/2027', '2027-06-30T10:00:00.000Z', true],
  ['06/30/2027 18:00', '2027-06-30T04:00:00.000Z', true],
  ['06/30/2027 06:00 PM', '2027-06-30T04:00:00.000Z', true],
  ['06/30/2027 12:00 am', '2027-06-29T10:00:00.000Z', true],
  ['06/30/2027 12:30 PM', '2027-06-29T22:30:00.000Z', true],
])('%s counts from %s', (text, time, isLocal) => {
  expect(readExpiryDate(text)).toEqual({ time: new Date(time), isLocal });
});

test('any time is read as it is written', () => {
  const date = fc.date({
    min: new Date('1970-01-01'),
    max: new Date('9999-01-01'),
    noInvalidDate: true,
  });
  fc.assert(
    fc.property(date, (time) => {
      const text = `${time.toISOString().slice(0, 19)}Z`;
      expect(readExpiryDate(text)?.time).toEqual(new Date(text));
      const local = readExpiryDate(text.slice(0, -1))?.time.getTime() ?? NaN;
      expect(local).toBe(Date.parse(text) - 14 * 3_600_000);
    }),
  );
});
