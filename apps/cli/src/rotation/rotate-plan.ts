// Plans the new content of one file, and collects the values that cannot be decrypted. Writes nothing.
import { isUtf8 } from 'node:buffer';
import {
  findEmbeddedValues,
  findProtectedValues,
  PropertySourceError,
  replaceProtectedValues,
  type EmbeddedValue,
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
  /** For a value that cannot be decrypted. Other reasons name the key themselves. */
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
  /** Protected values inside texts, which nothing decrypts there. */
  readonly leftInTexts?: readonly EmbeddedValue[];
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
    const failures = isOtherXml(file, before, error) ? [] : [failureOf(error)];
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
  const embedded = findEmbeddedValues(text, file.kind, file.path);
  const known = embedded.filter(({ isJasypt }) => !isJasypt || reencryption.readsJasypt);
  const defaults = known.filter(({ isDefault }) => isDefault);
  const isSkipped = (each: EmbeddedValue): boolean => each.isDefault && !known.includes(each);
  const skipped = all.length - values.length + embedded.filter(isSkipped).length;
  failures.push(...defaults.map(failureOfDefault));
  const leftInTexts = known.filter(({ isDefault }) => !isDefault);
  return { file, changes, failures, current, skipped, leftInTexts, after };
}

function failureOfDefault({ line, key, isJasypt }: EmbeddedValue): Failure {
  const form = isJasypt ? 'ENC(…)' : '{cipher}…';
  const reason = `has ${form} as the default of a placeholder: give it a key of its own to rotate it`;
  return { line, reason: `${escapeForTerminal(key)} ${reason}` };
}

/** Whether the file is XML that is not that of Java's properties, and has no protected value. */
function isOtherXml({ kind }: SettingsFile, before: ReadFile | undefined, error: unknown): boolean {
  if (kind !== 'xml' || !(error instanceof PropertySourceError)) return false;
  return !/\{(?:cas-)?cipher\}|ENC\(/.test(before?.content.toString('latin1') ?? '');
}

/**
 * As in the config server: properties that are not UTF-8 are ISO-8859-1. XML declares its encoding; its bytes stay.
 * UTF-16, which has NULs, is refused.
 */
function encodingOf({ kind }: SettingsFile, content: Buffer): Encoding {
  if (isUtf8(content)) return 'utf8';
  if (kind !== 'yaml' && !content.includes(0)) return 'latin1';
  throw new CliError('is not UTF-8 text');
}

function failureOf(error: unknown): Failure {
  if (error instanceof PropertySourceError) return { line: error.line, reason: error.reason };
  if (error instanceof CliError) return { reason: error.message };
  throw error;
}
