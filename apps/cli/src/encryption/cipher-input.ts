// Gets the text to encrypt or decrypt, and the password: each from where the options say, else from
// standard input or from whoever sits at the terminal.
import { environmentVariable } from '@tessera/runtime';
import { CliError } from '../cli-error.js';
import type { CipherOptions } from './cipher-options.js';
import { readInputFile } from '../input-file.js';
import { askUnseen, readPassword } from '../password-input.js';
import { writeLine, type Terminal } from '../terminal.js';

const MAX_BYTES = 1024 * 1024;

export interface CipherRequest {
  readonly task: 'encrypt' | 'decrypt';
  /** Among the arguments; at most one. */
  readonly texts: readonly string[];
  readonly options: CipherOptions;
  readonly terminal: Terminal;
}

/**
 * The text, its last line end taken off where it is not an argument.
 *
 * @throws CliError where it is no UTF-8, longer than 1 MiB, or nothing at all though it is no argument
 */
export async function readText({ task, texts, options, terminal }: CipherRequest): Promise<string> {
  const [text] = texts;
  if (text !== undefined) return text;
  if (options.inputFile !== undefined) {
    return decode(await readInputFile(options.inputFile), options.inputFile);
  }
  if (terminal.stdin.isTTY) {
    return askUnseen(terminal, 'Text', { isRepeated: task === 'encrypt' });
  }
  return decode(await readAll(terminal.stdin), 'standard input');
}

/** @throws CliError where there is none */
export async function readCipherPassword(request: CipherRequest): Promise<string> {
  const { task, texts, options, terminal } = request;
  const { password, passwordEnv, passwordFile, passwordStdin = false, inputFile } = options;
  if (password !== undefined) {
    writeLine(
      terminal.stderr,
      'tessera: every user of this machine can read the password among the arguments: ' +
        'better give --password-file or --password-env',
    );
    return password;
  }
  if (passwordEnv !== undefined) return passwordOfEnvironment(passwordEnv);
  if (passwordFile !== undefined) return readPassword({ passwordFile }, terminal);
  if (terminal.stdin.isTTY && !passwordStdin) {
    return askUnseen(terminal, 'Password', { isRepeated: task === 'encrypt' });
  }
  if (options.batch || (texts.length === 0 && inputFile === undefined)) {
    throw new CliError('there is no password: give --password-file or --password-env');
  }
  return readPassword({ passwordStdin: true }, terminal);
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

/** The text that bytes are; `undefined` where they are none. */
export function utf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
