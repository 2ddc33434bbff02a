// Tells what `tessera rotate` did, or would do: lines for people, or one JSON object; never a text.
import { CliError } from '../cli-error.js';
import { UNDECRYPTABLE } from '../encryption/cipher-options.js';
import { escapeForTerminal } from '../terminal-escape.js';
import type { RotateOptions } from './rotate-options.js';
import type { Failure, FilePlan } from './rotate-plan.js';
import { writeLine, type Terminal } from '../terminal.js';

export interface FileResult extends FilePlan {
  readonly isWritten: boolean;
}

interface Reporting {
  readonly options: Pick<RotateOptions, 'dryRun' | 'json'>;
  /** The alias of the key that encrypts. */
  readonly newest: string;
  readonly terminal: Terminal;
}

export function report(results: readonly FileResult[], reporting: Reporting): void {
  const { options, terminal } = reporting;
  const left = results.reduce((sum, result) => sum + result.left, 0);
  if (left > 0) {
    const what = `${count(left, 'value')} in Jasypt's ENC(…)`;
    writeLine(terminal.stderr, `tessera: left ${what}: --from-algorithm moves them`);
  }
  const write = (line: string): void => writeLine(terminal.stdout, line);
  if (options.json) {
    write(JSON.stringify(asJson(results, reporting)));
    return;
  }
  const done = results.filter(({ isWritten }) => isWritten || options.dryRun);
  for (const { file, changes } of done) {
    for (const { line, key, from, to } of changes) {
      write(
        `${escapeForTerminal(file.path)}:${line}: ${key}: ${escapeForTerminal(from)} -> ${escapeForTerminal(to)}`,
      );
    }
  }
  for (const { file, failures } of results) {
    for (const failure of failures) {
      writeLine(terminal.stderr, `tessera: ${escapeForTerminal(file.path)}${sentence(failure)}`);
    }
  }
  write(summary(done, results, reporting));
}

/** @throws CliError where anything failed, with the exit code for it */
export function conclude(
  results: readonly FileResult[],
  { dryRun }: { readonly dryRun: boolean },
): void {
  const failures = results.flatMap((result) => result.failures);
  if (failures.length === 0) return;
  const values = failures.filter(({ key }) => key !== undefined).length;
  const files = failures.length - values;
  const what = [
    ...(values > 0 ? [`${count(values, 'value')} cannot be decrypted`] : []),
    ...(files > 0 ? [`${count(files, 'file')} cannot be rotated`] : []),
  ].join(', ');
  const isNothingDone = !dryRun && results.every(({ isWritten }) => !isWritten);
  throw new CliError(
    isNothingDone ? `nothing was written: ${what}` : what,
    values > 0 ? UNDECRYPTABLE : 1,
  );
}

function asJson(results: readonly FileResult[], { options, newest }: Reporting): object {
  return {
    dryRun: options.dryRun ?? false,
    key: newest,
    current: currentOf(results),
    files: results
      .filter(({ changes, failures }) => changes.length + failures.length > 0)
      .map(({ file, isWritten, changes, failures }) => ({
        file: file.path,
        written: isWritten,
        changes,
        failures,
      })),
  };
}

function summary(
  done: readonly FileResult[],
  results: readonly FileResult[],
  { options, newest }: Reporting,
): string {
  const changed = done.filter(({ changes }) => changes.length > 0);
  const values = changed.reduce((sum, { changes }) => sum + changes.length, 0);
  const what = `${count(values, 'value')} in ${count(changed.length, 'file')}`;
  const verb = options.dryRun ? 'dry run, nothing written: would rotate' : 'rotated';
  return `${verb} ${what}; ${currentOf(results)} had the key ${escapeForTerminal(newest)} already`;
}

function currentOf(results: readonly FileResult[]): number {
  return results.reduce((sum, { current }) => sum + current, 0);
}

function sentence({ line, key, reason }: Failure): string {
  const place = line === undefined ? '' : `:${line}`;
  return `${place}: ${key === undefined ? '' : `${key} `}${reason}`;
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
