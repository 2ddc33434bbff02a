import { describe, expect, test } from '@jest/globals';
import type { Attributes } from '@tessera/services';
import { mergedAttributes, type MergeRule } from './merged-attributes.js';

const FIRST = { mail: ['a@first', 'b@first'], sn: ['Liddell'] };
const SECOND = { mail: ['b@first', 'c@second'], cn: ['Alice'] };
const THIRD = { mail: ['d@third'], cn: ['Alice', 'Ali'] };

/** The rows of Apereo CAS: REPLACE, ADD, MULTIVALUED. */
const ROWS: readonly (readonly [MergeRule, Attributes])[] = [
  ['replace', { mail: ['d@third'], sn: ['Liddell'], cn: ['Alice', 'Ali'] }],
  ['add', { mail: ['a@first', 'b@first'], sn: ['Liddell'], cn: ['Alice'] }],
  [
    'multi-valued',
    {
      mail: ['a@first', 'b@first', 'c@second', 'd@third'],
      sn: ['Liddell'],
      cn: ['Alice', 'Ali'],
    },
  ],
];

describe('attributes of three sources', () => {
  test.each(ROWS)('are merged by the rule %s', (rule, expected) => {
    expect(mergedAttributes(rule, [FIRST, SECOND, THIRD])).toEqual(expected);
  });

  test.each(ROWS)('stay as they are with one of them empty: %s', (rule, expected) => {
    expect(mergedAttributes(rule, [FIRST, {}, SECOND, { mail: [] }, THIRD])).toEqual(expected);
  });

  test.each(ROWS)('may have the names of members of every object: %s', (rule) => {
    const strange: Attributes = JSON.parse('{"__proto__":["x"],"constructor":["y"]}') as Attributes;
    const merged = mergedAttributes(rule, [strange, strange]);
    expect(Object.entries(merged)).toEqual([
      ['__proto__', ['x']],
      ['constructor', ['y']],
    ]);
  });
});
