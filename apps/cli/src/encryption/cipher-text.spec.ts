import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from '@jest/globals';
import { runProgram } from '../program.js';

const KEY = '--encrypt.key=Mellon';
/** Sets the title of a window, moves the cursor by a C1 control, and reverses the text. */
const HOSTILE = 'a\u001b]0;pwn\u0007\u009b2J\r\u202eb\u{e0001}\tc\nd';

async function tessera(args: readonly string[], input: string, isTTY: boolean): Promise<string> {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  stdin.end(input);
  const written = text(stdout);
  expect(
    await runProgram([...args, KEY], { stdin, stdout: Object.assign(stdout, { isTTY }), stderr }),
  ).toBe(0);
  stdout.end();
  return written;
}

const cipher = await tessera(['encrypt'], HOSTILE, true);
const row = JSON.stringify({ cipher: cipher.trim() });

describe('a decrypted value', () => {
  const JSON_SHOWN = String.raw`{"plain":"a\u001b]0;pwn\u0007\u009b2J\r\u202eb\udb40\udc01\tc\nd"}`;

  test.each([
    [
      'a text',
      ['decrypt'],
      cipher,
      `${String.raw`a\u{1b}]0;pwn\u{7}\u{9b}2J\u{d}\u{202e}b\u{e0001}\u{9}c`}\nd`,
    ],
    ['JSON', ['decrypt', '--json'], cipher, JSON_SHOWN],
    ['JSON lines', ['decrypt', '--batch'], row, JSON_SHOWN],
  ])('is escaped on a terminal: %s', async (_form, args, input, shown) => {
    expect(await tessera(args, input, true)).toBe(`${shown}\n`);
  });

  test.each([
    ['a text', ['decrypt'], cipher, `${HOSTILE}\n`],
    ['JSON', ['decrypt', '--json'], cipher, `${JSON.stringify({ plain: HOSTILE })}\n`],
    ['JSON lines', ['decrypt', '--batch'], row, `${JSON.stringify({ plain: HOSTILE })}\n`],
  ])('is left as it is in a file or a pipe: %s', async (_form, args, input, written) => {
    expect(await tessera(args, input, false)).toBe(written);
  });
});
