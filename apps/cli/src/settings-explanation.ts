// The output of `tessera settings explain`.
import type { ExplainedSetting } from '@tessera/config';
import { CliError } from './cli-error.js';
import { escapeForTerminal, escapeJsonForTerminal } from './terminal.js';

export interface ExplainOptions {
  readonly application: string;
  readonly json?: boolean;
}

/**
 * @param key one setting, or a group of settings; without it, all
 * @throws CliError where there is none
 */
export async function explanation(
  all: readonly ExplainedSetting[],
  key: string | undefined,
  { application, json = false }: ExplainOptions,
): Promise<string> {
  const rows = all.filter(isBelow(key));
  if (rows.length === 0) throw await unknownKey(key, all, application);
  if (json) return escapeJsonForTerminal(JSON.stringify(rows));
  return rows.map(lineOf).join('\n');
}

function isBelow(key: string | undefined) {
  return (row: ExplainedSetting): boolean =>
    key === undefined || row.key === key || row.key.startsWith(`${key}.`);
}

/** Suggests a setting, or a group of settings. */
async function unknownKey(
  key = '',
  rows: readonly ExplainedSetting[],
  application: string,
): Promise<CliError> {
  const { closestKey } = await import('./closest-key.js');
  const prefixes = rows.flatMap((row) => prefixesOf(row.key));
  const meant = closestKey(key, new Set([...rows.map((row) => row.key), ...prefixes]));
  const suggestion = meant === undefined ? '' : `; did you mean ${meant}?`;
  return new CliError(`${application} has no setting ${escapeForTerminal(key)}${suggestion}`);
}

/** `a.b.c` is below `a.b` and `a`. */
function prefixesOf(key: string): readonly string[] {
  const segments = key.split('.');
  return segments.slice(1).map((_, index) => segments.slice(0, index + 1).join('.'));
}

function lineOf({ key, value, origin }: ExplainedSetting): string {
  return escapeForTerminal(`${key} = ${value}  (${origin})`);
}
