import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { accountName, attributesFault, parseExpiry } from './account-rules.js';

describe('accountName', () => {
  test.each([
    ['nothing', ''],
    ['white space alone', ' '],
    ['white space before', ' alice'],
    ['white space behind', 'alice\u00a0'],
    ['a NUL', 'al\0ice'],
    ['a line end', 'alice\r\n'],
    ['an escape', '\u001b[31malice'],
    ['a control of Latin-1', 'al\u0085ice'],
    ['a line separator', 'al\u2028ice'],
    ['half a surrogate pair', 'alice\ud83d'],
    ['256 characters', 'a'.repeat(256)],
    ['256 characters beyond the first plane', '\u{1f600}'.repeat(256)],
    ['a mebibyte', 'a'.repeat(1_048_576)],
  ])('refuses %s', (_what, text) => {
    expect(accountName(text)).toBeUndefined();
  });

  test.each([
    ['as it is', 'alice', 'alice'],
    ['with inner space', 'Alice de B', 'Alice de B'],
    ['in its case', 'ALICE', 'ALICE'],
    ['in NFC', 'Ju\u0308rgen', 'J\u00fcrgen'],
    ['of 255 characters', '\u{1f600}'.repeat(255), '\u{1f600}'.repeat(255)],
    ['of another script', '\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645', undefined],
    ['like a property of objects', '__proto__', '__proto__'],
  ])('keeps a name %s', (_what, text, name = text) => {
    expect(accountName(text)).toBe(name);
  });

  test('is the same for every normal form, and for what it returned', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const name = accountName(text);
        expect(accountName(text.normalize('NFD'))).toBe(name);
        expect(name === undefined || accountName(name) === name).toBe(true);
      }),
    );
  });
});

describe('attributesFault', () => {
  test.each([
    ['an empty name', { '': ['x'] }],
    ['a name with a control character', { 'ma\til': ['x'] }],
    ['a name of 256 characters', { ['a'.repeat(256)]: ['x'] }],
    ['a NUL in a value', { mail: ['x', 'y\0'] }],
    ['an escape in a value', { mail: ['\u001b[31m'] }],
    ['half a surrogate pair in a value', { mail: ['\ude00'] }],
  ])('finds %s', (_what, attributes) => {
    expect(attributesFault(attributes)).toMatch(/attribute/);
  });

  test('lets everything else pass', () => {
    const address = ['1 High St\r\nTown', '\t', '', '<&>"\'', '\u{1f600}'];
    expect(attributesFault({ address, 'display name': [] })).toBeUndefined();
  });
});

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

  test('reads never as no moment', () => {
    expect(parseExpiry('never')).toBeNull();
  });
});
