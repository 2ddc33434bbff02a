import { describe, expect, test } from '@jest/globals';
import { array, assert, constantFrom, property, string } from 'fast-check';
import { GitStderr } from './git-stderr.js';

/** In pieces of a few characters, as pipes may bring it. */
function complaintOf(said: string): GitStderr {
  const complaint = new GitStderr();
  for (const piece of said.match(/.{1,7}/gsu) ?? []) complaint.take(piece);
  return complaint;
}

const DAMAGED = 'error: index file ./objects/pack/pack-42.idx is too small';
const ACCESS = 'Please make sure you have the correct access rights\nand the repository exists.\n';
const UNREAD = 'fatal: Could not read from remote repository.';

describe('a complaint of git is one line:', () => {
  test.each([
    ['nothing where nothing was said', '\n \r\n', ''],
    ['no line twice', `${DAMAGED}\n`.repeat(10), DAMAGED],
    [
      'no notes of what is no fault',
      `${DAMAGED}\n${DAMAGED}\nerror: refs/heads/main: invalid\nnotice: No default references\n`,
      `${DAMAGED}; error: refs/heads/main: invalid`,
    ],
    ['no counsel', `fatal: '/x' is none\n${UNREAD}\n\n${ACCESS}`, `fatal: '/x' is none; ${UNREAD}`],
    ['no returns of ssh', `ssh: refused\r\n${UNREAD}\n`, `ssh: refused; ${UNREAD}`],
    ['nothing that steers a terminal', 'a\tb\u000b  c\u2028d\n', 'a b c d'],
    [
      'of many, the first and the last two',
      'error: a\nerror: b\nerror: c\nerror: d\nfatal: e\n',
      'error: a; …; error: d; fatal: e',
    ],
    [
      'frames are left out',
      `@@@@\n@  THE HOST HAS CHANGED!  @\n@@@@\nremote: ====\nremote: \n${UNREAD}\n`,
      `@ THE HOST HAS CHANGED! @; ${UNREAD}`,
    ],
    [
      'a long line is cut between words, so that no address loses its end',
      `fatal: ${'x'.repeat(280)} https://user:hunter2@example.org/ gone`,
      `fatal: ${'x'.repeat(280)} …`,
    ],
    ['a long word is left out', 'x'.repeat(301), '…'],
    ['what came after very much is left out', `a\n${'xy '.repeat(5_500)}hunter\nb`, 'a'],
  ])('%s', (_rule, said, line) => {
    expect(String(complaintOf(said))).toBe(line);
  });

  test('whatever was said, and a short one', () => {
    const pieces = array(constantFrom('\n', '\r', ' ', 'error: a', 'hint: b', 'x'.repeat(200)));
    assert(
      property(pieces, string({ unit: 'binary' }), (repeated, any) => {
        const line = String(complaintOf(repeated.join('') + any + repeated.join('')));
        expect(line).not.toMatch(/[\r\n]/);
        expect(line.length).toBeLessThan(1_000);
      }),
    );
  });
});

test('a complaint is searched as a whole', () => {
  const said = Array.from({ length: 9 }, (_, index) => `error: ${index}\n`);
  expect(complaintOf(said.join('')).matches(/error: 5/)).toBe(true);
  expect(complaintOf(said.join('')).matches(/error: 9/)).toBe(false);
});
