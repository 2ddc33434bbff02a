import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  hashTicketId,
  MAX_SUFFIX_LENGTH,
  newTicketId,
  parseTicketId,
  type TicketKind,
} from './ticket-id.js';

const KINDS: readonly TicketKind[] = ['TGT', 'ST', 'PGT', 'PGTIOU', 'PT', 'LR'];

describe('a new id', () => {
  test.each(KINDS)(
    'of kind %s is its prefix and letters and digits, and parses to itself',
    (kind) => {
      const id = newTicketId(kind);
      expect(id.text).toMatch(new RegExp(`^${kind}-[A-Za-z0-9]+$`));
      expect(parseTicketId(id.text)).toEqual(id);
    },
  );

  test.each([
    ['TGT', 256],
    ['PGT', 256],
    ['ST', 128],
    ['PT', 128],
  ] as const)('of kind %s carries at least %d random bits', (kind, bits) => {
    const random = newTicketId(kind).text.length - kind.length - 1;
    expect(random * Math.log2(62)).toBeGreaterThanOrEqual(bits);
  });

  test.each(['ST', 'PT'] as const)(
    '%s with mark and longest suffix has at most 32 characters',
    (kind) => {
      const id = newTicketId(kind, { mark: '3', suffix: 'x'.repeat(MAX_SUFFIX_LENGTH) });
      expect(id.text.length).toBeLessThanOrEqual(32);
      expect(id.text).toMatch(/^(ST|PT)-3[A-Za-z0-9]{22}-x{5}$/);
    },
  );

  test('is never the same twice', () => {
    const ids = Array.from({ length: 10_000 }, () => newTicketId('ST').text);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('is hashed to 256 bits that differ with its kind', () => {
    const hash = hashTicketId({ kind: 'ST', text: 'ST-1' });
    expect(hash).toMatch(/^[0-9a-f]{64}$/);
    expect(hash).not.toBe(hashTicketId({ kind: 'PT', text: 'PT-1' }));
  });
});

describe('a text that is no id', () => {
  test.each([
    ['empty', ''],
    ['without a prefix', 'abc'],
    ['with nothing behind its prefix', 'TGT-'],
    ['with an unknown prefix', 'XX-abc'],
    ['with a prefix in small letters', 'st-abc'],
    ['with a space', 'ST-a b'],
    ['with a line break at its end', 'ST-abc\n'],
    ['with NUL', 'ST-a\0'],
    ['with letters beyond ASCII', 'ST-é'],
    ['with a slash', 'ST-a/b'],
    ['longer than any', `ST-${'a'.repeat(300)}`],
  ])('%s is refused', (_, text) => {
    expect(parseTicketId(text)).toBeUndefined();
  });

  test('of any other shape is refused', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const id = parseTicketId(text);
        expect(id === undefined || /^[A-Z]+-[A-Za-z0-9-]+$/.test(text)).toBe(true);
      }),
    );
  });
});
