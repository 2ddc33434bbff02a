// `tessera encrypt --batch` and `tessera decrypt --batch`: one JSON line of output for each line of input, in order.
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { Readable } from 'node:stream';
import { CryptoError, type Cipher } from '@tessera/crypto';
import { SettingsError } from '@tessera/config';
import { CliError } from '../cli-error.js';
import type { Terminal } from '../terminal.js';
import type { CipherRequest } from './cipher-input.js';
import { warnAboutWeakCipher } from './cipher-keys.js';
import { UNDECRYPTABLE } from './cipher-options.js';
import { cipherOfRow, fieldOf, readRow, type Row } from './cipher-row.js';
import { decryptWith, encryptWith, plaintextJsonOutput, withoutPrefix } from './cipher-text.js';

/** Enough for a text of 1 MiB in which every character is escaped. */
const MAX_LINE_BYTES = 8 * 1024 * 1024;

/** One running and one waiting line for each thread that derives keys. */
const MAX_CONCURRENT_LINES = 2 * availableParallelism();

interface Answer {
  readonly plain?: string;
  readonly cipher?: string;
  readonly error?: string;
}

/** The same for all lines. */
interface LineContext {
  readonly task: CipherRequest['task'];
  readonly defaultCipher: () => Promise<Cipher>;
  readonly onEncrypt: (cipher: Cipher) => void;
}

/**
 * Writes an answer for every line of standard input; `{"error":…}` for a line that fails.
 *
 * @param openDefault the cipher for lines that name no kind
 * @throws CliError at the end, if lines failed
 */
export async function runBatch(
  openDefault: () => Promise<Cipher>,
  { task, terminal }: CipherRequest,
): Promise<void> {
  let opened: Promise<Cipher> | undefined;
  const defaultCipher = (): Promise<Cipher> => (opened ??= openDefault());
  const printed = new Set<string>();
  const onEncrypt = (cipher: Cipher): void => warnAboutWeakCipher(cipher, terminal, printed);
  let failures = 0;
  const work = async (line: Buffer | undefined): Promise<Answer> => {
    try {
      return await answerLine(line, { task, defaultCipher, onEncrypt });
    } catch (error) {
      failures += 1;
      return { error: messageOf(error) };
    }
  };
  const lines = linesOf(terminal.stdin as AsyncIterable<Buffer | string>, MAX_LINE_BYTES);
  const answers = Readable.from(lines).map(work, { concurrency: MAX_CONCURRENT_LINES });
  for await (const answer of answers as AsyncIterable<Answer>) {
    await write(terminal.stdout, `${plaintextJsonOutput(answer, terminal)}\n`);
  }
  if (failures > 0) {
    const which = failures === 1 ? 'a line' : `${failures} lines`;
    throw new CliError(`${which} failed`, UNDECRYPTABLE);
  }
}

async function answerLine(
  line: Buffer | undefined,
  { task, defaultCipher, onEncrypt }: LineContext,
): Promise<Answer> {
  const row = readRow(line);
  throwEarlierError(row, task);
  const text = fieldOf(row, task === 'encrypt' ? 'plain' : 'cipher');
  const cipher = (await cipherOfRow(row)) ?? (await defaultCipher());
  if (task === 'decrypt') return { plain: await decryptWith(cipher, withoutPrefix(text)) };
  onEncrypt(cipher);
  return { cipher: await encryptWith(cipher, text) };
}

/** A line that failed in an earlier batch keeps its error. */
function throwEarlierError(row: Row, task: CipherRequest['task']): void {
  const reason = row.get('error');
  if (reason === undefined || row.has(task === 'encrypt' ? 'plain' : 'cipher')) return;
  throw new CliError(reason);
}

/** Waits while the reader of the output is slower. */
async function write(stdout: Terminal['stdout'], line: string): Promise<void> {
  if (!stdout.write(line)) await once(stdout, 'drain');
}

/** Unexpected errors keep their details: those may contain secrets. */
function messageOf(error: unknown): string {
  const isPublic = [CliError, CryptoError, SettingsError].some((one) => error instanceof one);
  return isPublic && error instanceof Error ? error.message : 'unknown error';
}

const LINE_FEED = 0x0a;

/**
 * The lines of a stream without their ends; `undefined` for a line of more than `maxBytes`.
 *
 * Only a line feed ends a line: JSON texts may contain the other line separators of Unicode.
 */
async function* linesOf(
  chunks: AsyncIterable<Buffer | string>,
  maxBytes: number,
): AsyncGenerator<Buffer | undefined> {
  const line = new LineBuffer(maxBytes);
  for await (const chunk of chunks) {
    let rest = Buffer.from(chunk);
    for (let end = rest.indexOf(LINE_FEED); end >= 0; end = rest.indexOf(LINE_FEED)) {
      line.append(rest.subarray(0, end));
      yield line.take();
      rest = rest.subarray(end + 1);
    }
    line.append(rest);
  }
  if (line.size > 0) yield line.take();
}

/** Drops the content of a line that is too long. */
class LineBuffer {
  size = 0;
  private parts: Buffer[] = [];

  constructor(private readonly maxBytes: number) {}

  append(part: Buffer): void {
    this.size += part.length;
    if (this.size > this.maxBytes) {
      this.parts = [];
    } else if (part.length > 0) {
      this.parts.push(part);
    }
  }

  take(): Buffer | undefined {
    const bytes = this.size > this.maxBytes ? undefined : Buffer.concat(this.parts);
    this.parts = [];
    this.size = 0;
    return bytes;
  }
}
