// `tessera encrypt --batch` and `tessera decrypt --batch`: JSON lines in, as many JSON lines out, in
// their order. What a line says is in cipher-row.ts.
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { Readable } from 'node:stream';
import { CryptoError, type Cipher } from '@tessera/crypto';
import { SettingsError } from '@tessera/settings';
import { CliError } from '../cli-error.js';
import type { CipherRequest } from './cipher-input.js';
import { linesOf } from './cipher-lines.js';
import { UNDECRYPTABLE } from './cipher-options.js';
import { cipherOfRow, fieldOf, readRow, type Row } from './cipher-row.js';
import { decryptWith, encryptWith, withoutPrefix } from './cipher-text.js';
import { warnOfWriting } from './cipher-warning.js';
import { plaintextJsonOutput } from './plaintext-output.js';
import type { Terminal } from '../terminal.js';

/** Room for a text of 1 MiB, every character of it escaped. */
const MAX_LINE_BYTES = 8 * 1024 * 1024;

/** Keys are derived by as many threads; each has its next line at hand. */
const LINES_AT_ONCE = 2 * availableParallelism();

interface Answer {
  readonly plain?: string;
  readonly cipher?: string;
  readonly error?: string;
}

/** What all lines have in common. */
interface LineWork {
  readonly task: CipherRequest['task'];
  readonly defaultCipher: () => Promise<Cipher>;
  readonly onWriting: (cipher: Cipher) => void;
}

/**
 * Answers every line of standard input; one that fails is answered by `{"error":…}`.
 *
 * @param openDefault the cipher for lines that name no kind
 * @throws CliError at the end, where lines failed
 */
export async function cryptLines(
  openDefault: () => Promise<Cipher>,
  { task, terminal }: CipherRequest,
): Promise<void> {
  let opened: Promise<Cipher> | undefined;
  const defaultCipher = (): Promise<Cipher> => (opened ??= openDefault());
  const warned = new Set<string>();
  const onWriting = (cipher: Cipher): void => warnOfWriting(cipher, terminal, warned);
  let failures = 0;
  const work = async (line: Buffer | undefined): Promise<Answer> => {
    try {
      return await cryptLine(line, { task, defaultCipher, onWriting });
    } catch (error) {
      failures += 1;
      return { error: messageOf(error) };
    }
  };
  const lines = linesOf(terminal.stdin as AsyncIterable<Buffer | string>, MAX_LINE_BYTES);
  const answers = Readable.from(lines).map(work, { concurrency: LINES_AT_ONCE });
  for await (const answer of answers as AsyncIterable<Answer>) {
    await write(terminal.stdout, `${plaintextJsonOutput(answer, terminal)}\n`);
  }
  if (failures > 0) {
    const which = failures === 1 ? 'a line' : `${failures} lines`;
    throw new CliError(`${which} failed`, UNDECRYPTABLE);
  }
}

async function cryptLine(
  line: Buffer | undefined,
  { task, defaultCipher, onWriting }: LineWork,
): Promise<Answer> {
  const row = readRow(line);
  refuseFailed(row, task);
  const text = fieldOf(row, task === 'encrypt' ? 'plain' : 'cipher');
  const cipher = (await cipherOfRow(row)) ?? (await defaultCipher());
  if (task === 'decrypt') return { plain: await decryptWith(cipher, withoutPrefix(text)) };
  onWriting(cipher);
  return { cipher: await encryptWith(cipher, text) };
}

/** What failed in a batch before this one keeps its reason. */
function refuseFailed(row: Row, task: CipherRequest['task']): void {
  const reason = row.get('error');
  if (reason === undefined || row.has(task === 'encrypt' ? 'plain' : 'cipher')) return;
  throw new CliError(reason);
}

/** Waits where the reader of the answers is slower than we are. */
async function write(stdout: Terminal['stdout'], line: string): Promise<void> {
  if (!stdout.write(line)) await once(stdout, 'drain');
}

/** Nobody is told of a fault of the program more than that it is one. */
function messageOf(error: unknown): string {
  const isPublic = [CliError, CryptoError, SettingsError].some((one) => error instanceof one);
  return isPublic && error instanceof Error ? error.message : 'unknown fault';
}
