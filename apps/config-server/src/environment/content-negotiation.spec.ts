import { expect, test } from '@jest/globals';
import { preferredMediaType } from './content-negotiation.js';

const V2 = 'application/vnd.v2+json';

test.each([
  [undefined, 'application/json'],
  ['*/*', 'application/json'],
  ['application/*', 'application/json'],
  ['application/json', 'application/json'],
  [V2, V2],
  ['APPLICATION/VND.V2+JSON', V2],
  [`${V2}, application/json`, 'application/json'],
  [`application/json;q=0.5, ${V2}`, V2],
  ['application/json;q=0.5, */*;q=0.1', 'application/json'],
  ['application/json;q=0, */*', V2],
  [' text/plain , application/json ; q=0.1', 'application/json'],
  ['text/plain', undefined],
  ['application/xml', undefined],
  ['application/json;q=0', undefined],
  ['application/json;q=much', undefined],
  ['', undefined],
  [`${'text/plain,'.repeat(200)}application/json`, undefined],
])('%s: %s', (accept, expected) => {
  expect(preferredMediaType(accept, ['application/json', V2])).toBe(expected);
});
