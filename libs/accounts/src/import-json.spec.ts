import { describe, expect, test } from '@jest/globals';
import { readJson } from './import-json.js';

const SECRET = 'hunter2';

describe('a file that is not a JSON array is refused without quoting it', () => {
  test.each([
    ['nothing at all', '', /not valid JSON/],
    ['a password out of place', `[{"name": "a",\n "password": ${SECRET}}]`, /not valid JSON/],
    ['an open array', `[{"password": "${SECRET}"}`, /not valid JSON/],
    ['an object', `{"password": "${SECRET}"}`, /not a JSON array/],
    ['a text', `"${SECRET}"`, /not a JSON array/],
  ])('%s', (_what, text, reason) => {
    let failure: unknown;
    try {
      readJson(text);
    } catch (error) {
      failure = error;
    }
    expect(failure).toMatchObject({
      code: 'ACCOUNT_IMPORT_UNREADABLE',
      message: expect.stringMatching(reason),
    });
    expect(failure).not.toHaveProperty('cause');
    expect(String(failure)).not.toContain(SECRET);
  });
});

describe('items', () => {
  test('that are not objects are violations', () => {
    const { entries, violations } = readJson('[1, null, "a", ["a"], {"name": "a"}]');
    expect(entries).toEqual([{ position: 'item 5', name: 'a' }]);
    expect(violations.map(({ position }) => position)).toEqual([
      'item 1',
      'item 2',
      'item 3',
      'item 4',
    ]);
  });

  test('with unknown fields are violations, one per field', () => {
    const { entries, violations } = readJson('[{"name": "a", "mail": "x", "position": "y"}]');
    expect(entries).toEqual([]);
    expect(violations.map(({ field }) => field)).toEqual(['mail', 'position']);
  });

  test('are read as they are, also after a byte order mark', () => {
    const item = {
      name: 'a',
      password: 'x',
      passwordHash: 'y',
      disabled: true,
      expires: null,
      attributes: { mail: ['x'] },
    };
    expect(readJson(`\ufeff[${JSON.stringify(item)}]`)).toEqual({
      entries: [{ position: 'item 1', ...item }],
      violations: [],
    });
    expect(readJson('[]')).toEqual({ entries: [], violations: [] });
  });
});
