// Reads the text to encrypt or decrypt, and the password: from the source that the options name, else from standard input
// or a prompt.
import { environmentVariable } from '@tessera/runtime';
import { CliError } from '../cli-error.js';
import { promptHidden, readInputFile, readPassword } from '../input.js';
import { writeLine, type Terminal } from '../terminal.js';
import type { CipherOptions } from './cipher-options.js';

const MAX_BYTES = 1024 * 1024;

export interface CipherRequest {
  readonly task: 'encrypt' | 'decrypt';
  /** From the arguments; at most one. */
  readonly texts: readonly string[];
  readonly options: CipherOptions;
  readonly terminal: Terminal;
}

/**
 * The text. A text from a file or from standard input loses its last line end.
 *
 * @throws CliError where such a text is not UTF-8, longer than 1 MiB, or empty
 */
export async function readText({ task, texts, options, terminal }: CipherRequest): Promise<string> {
  const [text] = texts;
  if (text !== undefined) {
    if (task === 'encrypt') warnOfArgument('text', 'standard input or --input-file', terminal);
    return text;
  }
  if (options.inputFile !== undefined) {
    return decode(await readInputFile(options.inputFile), options.inputFile);
  }
  if (terminal.stdin.isTTY) {
    return promptHidden(terminal, 'Text', { isRepeated: task === 'encrypt' });
  }
  return decode(await readAll(terminal.stdin), 'standard input');
}

/** @throws CliError without a password */
export async function readCipherPassword(request: CipherRequest): Promise<string> {
  const { task, texts, options, terminal } = request;
  const { password, passwordEnv, passwordFile, passwordStdin = false, inputFile } = options;
  if (password !== undefined) {
    warnOfArgument('password', '--password-file or --password-env', terminal);
    return password;
  }
  if (passwordEnv !== undefined) return passwordOfEnvironment(passwordEnv);
  if (passwordFile !== undefined) return readPassword({ passwordFile }, terminal);
  if (terminal.stdin.isTTY && !passwordStdin) {
    return promptHidden(terminal, 'Password', { isRepeated: task === 'encrypt' });
  }
  if (options.batch || (texts.length === 0 && inputFile === undefined)) {
    throw new CliError('there is no password: give --password-file or --password-env');
  }
  return readPassword({ passwordStdin: true }, terminal);
}

function warnOfArgument(what: string, better: string, { stderr }: Terminal): void {
  writeLine(
    stderr,
    `tessera: every user of this machine can read the ${what} among the arguments: better give ${better}`,
  );
}

function passwordOfEnvironment(name: string): string {
  const password = environmentVariable(name);
  if (password === undefined || password === '') {
    throw new CliError(`there is no password in the environment variable ${name}`);
  }
  return password;
}

async function readAll(stdin: Terminal['stdin']): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stdin as AsyncIterable<Buffer | string>) {
    chunks.push(Buffer.from(chunk));
    size += chunk.length;
    if (size > MAX_BYTES + 2) break;
  }
  return Buffer.concat(chunks);
}

function decode(bytes: Buffer, source: string): string {
  const text = utf8(bytes)?.replace(/\r?\n$/, '');
  if (text === undefined) throw new CliError(`${source} is not UTF-8 text`);
  if (text === '') throw new CliError(`${source} is empty`);
  if (Buffer.byteLength(text) > MAX_BYTES) {
    throw new CliError(`${source} has more than ${MAX_BYTES} bytes`);
  }
  return text;
}

/** The bytes as text; `undefined` for bytes that are not UTF-8. */
export function utf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
