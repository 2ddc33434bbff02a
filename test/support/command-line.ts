// Runs a command of `tessera` in this process, without a terminal.
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { runProgram } from '../../apps/cli/src/program.js';

/** Characters that a terminal interprets, except line ends: control characters and those that reorder or hide text. */
export const TERMINAL_CONTROLS = /(?!\n)[\p{Cc}\p{Cf}\u2028\u2029]/u;

/** Standard error without the warnings of secrets among the arguments, for tests of something else. */
export function withoutArgumentWarnings(stderr: string): string {
  return stderr.replaceAll(/^tessera: .*every user of th(?:e|is) machine can read.*\n/gm, '');
}

/** @param input content of standard input */
export async function runTessera(
  args: readonly string[],
  input = '',
): Promise<{ readonly exitCode: number; readonly stdout: string; readonly stderr: string }> {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  stdin.end(input);
  const exitCode = await runProgram(args, { stdin, stdout, stderr });
  stdout.end();
  stderr.end();
  return { exitCode, stdout: await text(stdout), stderr: await text(stderr) };
}
