// Reads files and passwords that a command needs. A password never comes from the arguments, which every user of the
// machine can read.
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { callerDirectory, describeReadError } from '@tessera/runtime';
import { CliError } from './cli-error.js';
import { writeLine, type Terminal } from './terminal.js';

/** The limit of the login form. */
const MAX_PASSWORD_BYTES = 64 * 1024;
const LINE_END = 0x0a;

/** The exit code after Ctrl-C: 128 plus the number of SIGINT. */
const INTERRUPTED = 130;

export interface PasswordOptions {
  readonly passwordStdin?: boolean;
  readonly passwordFile?: string;
}

/** For commander: a path among the arguments, which is relative to where the user is. */
export function callerPath(path: string): string {
  const directory = callerDirectory() ?? process.cwd();
  return directory === process.cwd() ? path : resolve(directory, path);
}

/** For commander: the same for an argument that may be repeated. */
export function callerPaths(path: string, before: readonly string[] = []): readonly string[] {
  return [...before, callerPath(path)];
}

/** The bytes of a file. @throws CliError with the path and the reason */
export async function readInputFile(path: string): Promise<Buffer> {
  try {
    return await readFile(path);
  } catch (error) {
    throw new CliError(`${path} ${describeReadError(error)}`);
  }
}

/**
 * The password to set: one line of UTF-8, not empty, without its line end.
 *
 * @throws CliError where there is none, or where two that differ were typed
 */
export async function readPassword(
  { passwordStdin, passwordFile }: PasswordOptions,
  terminal: Terminal,
): Promise<string> {
  if (passwordFile !== undefined) {
    return singleLine(await readInputFile(passwordFile), passwordFile);
  }
  if (passwordStdin || !terminal.stdin.isTTY) {
    return singleLine(await firstLine(terminal.stdin), 'standard input');
  }
  return promptHidden(terminal, 'Password', { isRepeated: true });
}

/** Reads up to the first line end. */
async function firstLine(stdin: Terminal['stdin']): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stdin as AsyncIterable<Buffer | string>) {
    const bytes = Buffer.from(chunk);
    chunks.push(bytes);
    size += bytes.length;
    if (bytes.includes(LINE_END) || size > MAX_PASSWORD_BYTES) {
      break;
    }
  }
  const all = Buffer.concat(chunks);
  const end = all.indexOf(LINE_END);
  return end < 0 ? all : all.subarray(0, end + 1);
}

function singleLine(bytes: Buffer, source: string): string {
  const line = decode(bytes, source).replace(/\r?\n$/, '');
  if (line === '') {
    throw new CliError(`there is no password in ${source}`);
  }
  if (bytes.length > MAX_PASSWORD_BYTES || line.includes('\n')) {
    throw new CliError(`${source} must hold one line of at most ${MAX_PASSWORD_BYTES} bytes`);
  }
  return line;
}

function decode(bytes: Buffer, source: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new CliError(`${source} is not UTF-8 text`);
  }
}

/**
 * Reads what the user types at the terminal, without showing it.
 *
 * @param isRepeated prompts twice, because the user does not see the text
 * @throws CliError where nothing is typed, the two texts differ, or the user presses Ctrl-C (exit code 130)
 */
export async function promptHidden(
  { stdin, stderr }: Terminal,
  what: string,
  { isRepeated }: { readonly isRepeated: boolean },
): Promise<string> {
  const name = what.toLowerCase();
  const discarded = new Writable({ write: (_chunk, _encoding, done) => done() });
  const editor = createInterface({
    input: stdin,
    output: discarded,
    terminal: true,
    historySize: 0,
  });
  let isInterrupted = false;
  editor.once('SIGINT', () => {
    isInterrupted = true;
    editor.close();
  });
  try {
    const lines = editor[Symbol.asyncIterator]();
    const prompt = async (question: string): Promise<string> => {
      stderr.write(question);
      const { value, done } = await lines.next();
      writeLine(stderr, '');
      if (isInterrupted) throw new CliError('interrupted', INTERRUPTED);
      if (done || value === '') {
        throw new CliError(`no ${name} was given`);
      }
      return value;
    };
    const answer = await prompt(`${what}: `);
    if (isRepeated && (await prompt('The same again: ')) !== answer) {
      throw new CliError(`the two ${name}s differ`);
    }
    return answer;
  } finally {
    editor.close();
  }
}
