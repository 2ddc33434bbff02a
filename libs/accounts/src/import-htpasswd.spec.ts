import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { anyText } from '../../../test/support/any-text.js';
import { readHtpasswd } from './import-htpasswd.js';

describe('readHtpasswd', () => {
  test.each([
    ['a name alone', 'alice'],
    ['a name without hash', 'alice:'],
    ['a name without hash, and a comment', 'alice::x'],
  ])('finds %s, by its line and without quoting it', (_what, line) => {
    expect(readHtpasswd(`# users\n${line}\nbob:x\n`)).toEqual({
      entries: [{ position: 'line 3', name: 'bob', passwordHash: 'x' }],
      violations: [{ position: 'line 2', reason: 'is not a user name, a colon and a hash' }],
    });
  });

  test.each([
    ['line ends of Windows', 'alice:x\r\n'],
    ['no line end', 'alice:x'],
    ['comments and empty lines', '# who\n\n  \nalice:x\n'],
    ['white space outside', '  alice:x  \n'],
    ['a comment behind a second colon', 'alice:x:her account\n'],
  ])('reads a file with %s', (_what, text) => {
    const { entries, violations } = readHtpasswd(text);
    expect(violations).toEqual([]);
    expect(entries).toMatchObject([{ name: 'alice', passwordHash: 'x' }]);
  });

  test('gives at most one entry or one violation per line for any text', () => {
    fc.assert(
      fc.property(anyText(), (text) => {
        const { entries, violations } = readHtpasswd(text);
        expect(entries.length + violations.length).toBeLessThanOrEqual(text.split('\n').length);
      }),
    );
  });
});
