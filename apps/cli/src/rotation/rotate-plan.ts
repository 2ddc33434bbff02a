// Owns what is to be written to one file, and what stands in the way. Nothing is written here.
import { isUtf8 } from 'node:buffer';
import {
  findProtectedValues,
  PropertySourceError,
  replaceProtectedValues,
  type ProtectedValue,
} from '@tessera/property-sources';
import { CliError } from '../cli-error.js';
import { escapeForTerminal } from '../terminal-escape.js';
import type { SettingsFile } from './rotate-files.js';
import { readFoundFile, type ReadFile } from './rotate-read.js';
import type { Renewal } from './rotate-renewal.js';

export interface Change {
  readonly line: number;
  readonly key: string;
  /** Aliases of keys, or the algorithm that was used before there were any. */
  readonly from: string;
  readonly to: string;
}

export interface Failure {
  readonly line?: number;
  /** Of a value that cannot be decrypted. */
  readonly key?: string;
  readonly reason: string;
}

export interface FilePlan {
  readonly file: SettingsFile;
  readonly changes: readonly Change[];
  readonly failures: readonly Failure[];
  /** How many values the newest key has written already. */
  readonly current: number;
  /** How many of Jasypt's were passed over: it was not said how to read them. */
  readonly left: number;
  /** Absent where it could not be read. */
  readonly before: ReadFile | undefined;
  readonly after: Buffer;
}

type Encoding = 'utf8' | 'latin1';

/** Reads a file and decrypts all its protected values; what fails is told in the plan. */
export async function planFile(file: SettingsFile, renewal: Renewal): Promise<FilePlan> {
  let before: ReadFile | undefined;
  try {
    before = await readFoundFile(file.realPath);
    return { ...(await planContent(file, before.content, renewal)), before };
  } catch (error) {
    const failures = [failureOf(error)];
    const after = Buffer.alloc(0);
    return { file, changes: [], failures, current: 0, left: 0, before, after };
  }
}

async function planContent(
  file: SettingsFile,
  before: Buffer,
  renewal: Renewal,
): Promise<Omit<FilePlan, 'before'>> {
  const encoding = encodingOf(file, before);
  const text = before.toString(encoding);
  const changes: Change[] = [];
  const failures: Failure[] = [];
  const replacements = new Map<ProtectedValue, string>();
  const all = findProtectedValues(text, file.kind, file.path);
  const values = all.filter(({ isJasypt }) => !isJasypt || renewal.readsJasypt);
  for (const value of values) {
    const key = escapeForTerminal(value.key);
    const { line, cipher, isJasypt } = value;
    const outcome = await (isJasypt ? renewal.adopt(cipher) : renewal.renew(cipher));
    if (outcome.is === 'undecryptable') {
      failures.push({ line, key, reason: outcome.reason });
    } else if (outcome.is === 'renewed') {
      changes.push({ line, key, from: outcome.from, to: outcome.to });
      replacements.set(value, outcome.text);
    }
  }
  const after = Buffer.from(replaceProtectedValues(text, replacements), encoding);
  const current = values.length - changes.length - failures.length;
  const left = all.length - values.length;
  return { file, changes, failures, current, left, after };
}

/** As the config server reads them: properties that are no UTF-8 are ISO-8859-1. */
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
