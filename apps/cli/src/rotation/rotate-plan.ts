// Plans the new content of one file, and collects the values that cannot be decrypted. Writes nothing.
import { isUtf8 } from 'node:buffer';
import {
  findProtectedValues,
  PropertySourceError,
  replaceProtectedValues,
  type ProtectedValue,
} from '@tessera/property-sources';
import { CliError } from '../cli-error.js';
import { escapeForTerminal } from '../terminal.js';
import type { Reencryption } from './reencryption.js';
import { readSettingsFile, type ReadFile, type SettingsFile } from './rotate-files.js';

export interface Change {
  readonly line: number;
  readonly key: string;
  /** An alias of a key, or the algorithm of Jasypt. */
  readonly from: string;
  readonly to: string;
}

export interface Failure {
  readonly line?: number;
  /** For a value that cannot be decrypted. */
  readonly key?: string;
  readonly reason: string;
}

export interface FilePlan {
  readonly file: SettingsFile;
  readonly changes: readonly Change[];
  readonly failures: readonly Failure[];
  /** Number of values that the newest key encrypted already. */
  readonly current: number;
  /** Number of values of Jasypt that were skipped, because `--from-algorithm` was not given. */
  readonly skipped: number;
  /** Undefined for a file that could not be read. */
  readonly before: ReadFile | undefined;
  readonly after: Buffer;
}

type Encoding = 'utf8' | 'latin1';

/** Reads a file and decrypts all its protected values. The plan contains the failures. */
export async function planFile(file: SettingsFile, reencryption: Reencryption): Promise<FilePlan> {
  let before: ReadFile | undefined;
  try {
    before = await readSettingsFile(file.realPath);
    return { ...(await planContent(file, before.content, reencryption)), before };
  } catch (error) {
    const failures = [failureOf(error)];
    const after = Buffer.alloc(0);
    return { file, changes: [], failures, current: 0, skipped: 0, before, after };
  }
}

async function planContent(
  file: SettingsFile,
  before: Buffer,
  reencryption: Reencryption,
): Promise<Omit<FilePlan, 'before'>> {
  const encoding = encodingOf(file, before);
  const text = before.toString(encoding);
  const changes: Change[] = [];
  const failures: Failure[] = [];
  const replacements = new Map<ProtectedValue, string>();
  const all = findProtectedValues(text, file.kind, file.path);
  const values = all.filter(({ isJasypt }) => !isJasypt || reencryption.readsJasypt);
  for (const value of values) {
    const key = escapeForTerminal(value.key);
    const { line, cipher, isJasypt } = value;
    const outcome = await (isJasypt
      ? reencryption.reencryptJasypt(cipher)
      : reencryption.reencrypt(cipher));
    if (outcome.is === 'undecryptable') {
      failures.push({ line, key, reason: outcome.reason });
    } else if (outcome.is === 'reencrypted') {
      changes.push({ line, key, from: outcome.from, to: outcome.to });
      replacements.set(value, outcome.text);
    }
  }
  const after = Buffer.from(replaceProtectedValues(text, replacements), encoding);
  const current = values.length - changes.length - failures.length;
  const skipped = all.length - values.length;
  return { file, changes, failures, current, skipped, after };
}

/** As in the config server: properties that are not UTF-8 are ISO-8859-1. */
function encodingOf({ kind }: SettingsFile, content: Buffer): Encoding {
  if (isUtf8(content)) return 'utf8';
  if (kind === 'properties') return 'latin1';
  throw new CliError('is not UTF-8 text');
}

function failureOf(error: unknown): Failure {
  if (error instanceof PropertySourceError) return { line: error.line, reason: error.reason };
  if (error instanceof CliError) return { reason: error.message };
  throw error;
}
