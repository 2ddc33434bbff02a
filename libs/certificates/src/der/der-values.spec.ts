import { describe, expect, test } from '@jest/globals';
import { der } from '../../../../test/support/pki/encode-der.js';
import { DerElement } from './der-element.js';
import { objectIdentifier, time } from './der-values.js';

const unreadable = expect.objectContaining({ code: 'CERTIFICATE_UNREADABLE' });
const UTC = 0x17;
const GENERALIZED = 0x18;
const timeOf = (tag: number, text: string) => time(DerElement.read(der(tag, text)));
const identifierOf = (hex: string) =>
  objectIdentifier(DerElement.read(der(0x06, Buffer.from(hex, 'hex'))));

describe('an invalid time is refused:', () => {
  test.each([
    ['without seconds', UTC, '2601010000Z'],
    ['with an offset', UTC, '260101000000+0000'],
    ['with a year of four digits, in the short type', UTC, '20260101000000Z'],
    ['with a year of two digits, in the long type', GENERALIZED, '260101000000Z'],
    ['with a fraction', GENERALIZED, '20260101000000.5Z'],
    ['the thirtieth of February', GENERALIZED, '20260230000000Z'],
    ['the hour 24', UTC, '260101240000Z'],
    ['the month 13', UTC, '261301000000Z'],
    ['letters', UTC, '26010100000xZ'],
  ])('%s', (_title, tag, text) => {
    expect(() => timeOf(tag, text)).toThrow(unreadable);
  });
});

test.each([
  [UTC, '491231235959Z', '2049-12-31T23:59:59.000Z'],
  [UTC, '500101000000Z', '1950-01-01T00:00:00.000Z'],
  [GENERALIZED, '99991231235959Z', '9999-12-31T23:59:59.000Z'],
])('the time %i %s is %s', (tag, text, expected) => {
  expect(timeOf(tag, text).toISOString()).toBe(expected);
});

test.each([
  ['550403', '2.5.4.3'],
  ['2a864886f70d010901', '1.2.840.113549.1.9.1'],
  ['27', '0.39'],
  ['883703', '2.999.3'],
])('the identifier %s is %s', (hex, expected) => {
  expect(identifierOf(hex)).toBe(expected);
});

test('an identifier has a maximum length', () => {
  expect(() => identifierOf('2a'.repeat(65))).toThrow(unreadable);
});
