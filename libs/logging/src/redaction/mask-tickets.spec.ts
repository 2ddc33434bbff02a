import { describe, expect, test } from '@jest/globals';
import { assert, constantFrom, property, string, stringMatching, tuple } from 'fast-check';
import { maskTickets } from './mask-tickets.js';

const ID = 'TGT-Xk4mPq8vRt2wZy6bNc1dFg5hJk9lMn3pQr7sTu-node1';

describe('a ticket id is masked', () => {
  test.each([
    ['by itself', ID, 'TGT-…ode1'],
    ['in a sentence', `granted ${ID}, at last`, 'granted TGT-…ode1, at last'],
    ['in a path', `/v1/tickets/${ID}?x=1`, '/v1/tickets/TGT-…ode1?x=1'],
    ['in a query', 'https://a/?ticket=ST-1234567890abcdef&b=1', 'https://a/?ticket=ST-…cdef&b=1'],
    [
      'in an encoded query',
      'service=a%3Fticket%3DST-1234567890abcdef',
      'service=a%3Fticket%3DST-…cdef',
    ],
    ['with its hyphen encoded', 'ST%2D1234567890abcdef', 'ST-…cdef'],
    ['after an underscore', 'ticket_PGTIOU-1234567890abcdef', 'ticket_PGTIOU-…cdef'],
    ['glued to a word', `xPT-1234567890abcdef`, 'xPT-…cdef'],
    ['glued to a written line break', '\\nLR-1234567890abcdef', '\\nLR-…cdef'],
    ['two at a time', 'PGT-1234567890abcdef,PT-1234567890abcdef', 'PGT-…cdef,PT-…cdef'],
    ['wholly, when it is short', 'ST-12345', 'ST-…'],
  ])('%s', (_rule, text, masked) => {
    expect(maskTickets(text)).toBe(masked);
  });

  test.each([
    ['words with a hyphen', 'FIRST-class, POST-only, LATEST-one, a-ST'],
    ['a prefix alone', 'TGT- ST PGT'],
    ['what is masked already', 'TGT-…a91f'],
    ['small letters', 'best-effort st-1234567890abcdef'],
  ])('unlike %s', (_rule, text) => {
    expect(maskTickets(text)).toBe(text);
  });

  test('whatever stands around it', () => {
    const id = stringMatching(/^[A-Za-z0-9-]{22,60}$/);
    const prefix = constantFrom('TGT', 'ST', 'PGT', 'PGTIOU', 'PT', 'LR');
    const around = string({ unit: 'binary' });
    assert(
      property(around, tuple(prefix, id), around, (before, [kind, random], after) => {
        const masked = maskTickets(`${before}${kind}-${random}${after}`);
        expect(masked).not.toContain(random.slice(0, -4));
      }),
      { numRuns: 1000 },
    );
  });
});
