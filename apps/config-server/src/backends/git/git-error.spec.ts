import { describe, expect, test } from '@jest/globals';
import { array, assert, constantFrom, property } from 'fast-check';
import { anyText } from '../../../../../test/support/any-text.js';
import { GitStderr } from './git-error.js';

/** Written in chunks of a few characters, as pipes may deliver it. */
function stderrOf(text: string): GitStderr {
  const stderr = new GitStderr();
  for (const chunk of text.match(/.{1,7}/gsu) ?? []) stderr.append(chunk);
  return stderr;
}

const DAMAGED = 'error: index file ./objects/pack/pack-42.idx is too small';
const ACCESS = 'Please make sure you have the correct access rights\nand the repository exists.\n';
const NO_ACCESS = 'fatal: Could not read from remote repository.';

describe('the standard error of git becomes one line:', () => {
  test.each([
    ['nothing where nothing was written', '\n \r\n', ''],
    ['no line twice', `${DAMAGED}\n`.repeat(10), DAMAGED],
    [
      'no notices',
      `${DAMAGED}\n${DAMAGED}\nerror: refs/heads/main: invalid\nnotice: No default references\n`,
      `${DAMAGED}; error: refs/heads/main: invalid`,
    ],
    [
      'no advice',
      `fatal: '/x' is none\n${NO_ACCESS}\n\n${ACCESS}`,
      `fatal: '/x' is none; ${NO_ACCESS}`,
    ],
    ['no returns of ssh', `ssh: refused\r\n${NO_ACCESS}\n`, `ssh: refused; ${NO_ACCESS}`],
    ['nothing that steers a terminal', 'a\tb\u000b  c\u2028d\n', 'a b c d'],
    [
      'of many, the first and the last two',
      'error: a\nerror: b\nerror: c\nerror: d\nfatal: e\n',
      'error: a; …; error: d; fatal: e',
    ],
    [
      'frames are left out',
      `@@@@\n@  THE HOST HAS CHANGED!  @\n@@@@\nremote: ====\nremote: \n${NO_ACCESS}\n`,
      `@ THE HOST HAS CHANGED! @; ${NO_ACCESS}`,
    ],
    [
      'a long line is cut between words, so that no address loses its end',
      `fatal: ${'x'.repeat(280)} https://user:hunter2@example.org/ gone`,
      `fatal: ${'x'.repeat(280)} …`,
    ],
    ['a long word is left out', 'x'.repeat(301), '…'],
    ['what came after very much is left out', `a\n${'xy '.repeat(5_500)}hunter\nb`, 'a'],
  ])('%s', (_rule, text, line) => {
    expect(String(stderrOf(text))).toBe(line);
  });

  test('any text, and the line is short', () => {
    const pieces = array(constantFrom('\n', '\r', ' ', 'error: a', 'hint: b', 'x'.repeat(200)));
    assert(
      property(pieces, anyText(), (repeated, any) => {
        const line = String(stderrOf(repeated.join('') + any + repeated.join('')));
        expect(line).not.toMatch(/[\r\n]/);
        expect(line.length).toBeLessThan(1_000);
      }),
    );
  });
});
