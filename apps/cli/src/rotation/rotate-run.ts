// Runs `tessera rotate`: plans all files, writes them, and prints a report that contains no secrets.
import { CliError } from '../cli-error.js';
import { warnAboutWeakCipher } from '../encryption/cipher-keys.js';
import { UNDECRYPTABLE } from '../encryption/cipher-options.js';
import { escapeForTerminal, writeLine, type Terminal } from '../terminal.js';
import { recordRotation } from './record-rotation.js';
import { openReencryption, type RotateOptions, type RotateRequest } from './reencryption.js';
import { findSettingsFiles, replaceFile } from './rotate-files.js';
import { planFile, type Failure, type FilePlan } from './rotate-plan.js';

/** @throws CliError, CryptoError or SettingsError for a wrong request, and CliError at the end if anything failed */
export async function rotate(request: RotateRequest): Promise<void> {
  const { paths, options, terminal } = request;
  const files = await findSettingsFiles(paths);
  const reencryption = await openReencryption(request);
  const plans: FilePlan[] = [];
  for (const file of files) plans.push(await planFile(file, reencryption));
  const { dryRun = false, keepGoing = false } = options;
  const results = dryRun ? plans.map(notWritten) : await writeFiles(plans, keepGoing);
  if (results.some(({ isWritten, changes }) => isWritten || (dryRun && changes.length > 0))) {
    warnAboutWeakCipher(reencryption.keys, terminal);
  }
  report(results, { options, newest: reencryption.newest, terminal });
  if (!dryRun) await record(results, request, reencryption.newest);
  throwFailures(results, { dryRun });
}

async function record(
  results: readonly FileResult[],
  { paths, settings, terminal }: RotateRequest,
  key: string,
): Promise<void> {
  const written = results.filter(({ isWritten }) => isWritten);
  const failures = countFailures(results);
  if (written.length + failures.files + failures.values === 0) return;
  const rotation = {
    paths,
    key,
    files: written.length,
    values: written.reduce((sum, { changes }) => sum + changes.length, 0),
    failedFiles: failures.files,
    failedValues: failures.values,
  };
  await recordRotation(rotation, settings, terminal);
}

/**
 * Writes nothing if a plan has failures, and stops after a file that cannot be written. With `keepGoing` it writes all
 * other files.
 */
export async function writeFiles(
  plans: readonly FilePlan[],
  keepGoing: boolean,
): Promise<FileResult[]> {
  const results: FileResult[] = [];
  let continues = keepGoing || plans.every(({ failures }) => failures.length === 0);
  for (const plan of plans) {
    const result = continues ? await writeFile(plan) : notWritten(plan);
    continues &&= keepGoing || result.failures.length === 0;
    results.push(result);
  }
  return results;
}

async function writeFile(plan: FilePlan): Promise<FileResult> {
  const { file, changes, failures, before, after } = plan;
  if (before === undefined || changes.length === 0 || failures.length > 0) return notWritten(plan);
  try {
    await replaceFile(file.realPath, before, after);
    return { ...plan, isWritten: true };
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    return { ...plan, failures: [{ reason: error.message }], isWritten: false };
  }
}

function notWritten(plan: FilePlan): FileResult {
  return { ...plan, isWritten: false };
}

export interface FileResult extends FilePlan {
  readonly isWritten: boolean;
}

interface ReportContext {
  readonly options: Pick<RotateOptions, 'dryRun' | 'json'>;
  /** The alias of the key that encrypts. */
  readonly newest: string;
  readonly terminal: Terminal;
}

function report(results: readonly FileResult[], context: ReportContext): void {
  const { options, terminal } = context;
  const skipped = results.reduce((sum, result) => sum + result.skipped, 0);
  if (skipped > 0) {
    const what = `${count(skipped, 'value')} in Jasypt's ENC(…)`;
    writeLine(terminal.stderr, `tessera: left ${what}: --from-algorithm moves them`);
  }
  for (const { file, leftInTexts = [] } of results) {
    for (const { line, key, isJasypt } of leftInTexts) {
      const what = `left ${isJasypt ? 'ENC(…)' : '{cipher}…'} inside the text of`;
      const place = `${escapeForTerminal(file.path)}:${line}`;
      writeLine(terminal.stderr, `tessera: ${place}: ${what} ${escapeForTerminal(key)}`);
    }
  }
  const write = (line: string): void => writeLine(terminal.stdout, line);
  if (options.json) {
    write(JSON.stringify(asJson(results, context)));
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
  write(summary(done, results, context));
}

/** @throws CliError with an exit code if anything failed */
export function throwFailures(
  results: readonly FileResult[],
  { dryRun }: { readonly dryRun: boolean },
): void {
  const { files, values } = countFailures(results);
  if (files + values === 0) return;
  const what = [
    ...(values > 0 ? [`${count(values, 'value')} cannot be decrypted`] : []),
    ...(files > 0 ? [`${count(files, 'file')} cannot be rotated`] : []),
  ].join(', ');
  const isNothingWritten = !dryRun && results.every(({ isWritten }) => !isWritten);
  throw new CliError(
    isNothingWritten ? `nothing was written: ${what}` : what,
    values > 0 ? UNDECRYPTABLE : 1,
  );
}

/** Values that cannot be decrypted, and files that cannot be read or written, or have a value that cannot be replaced. */
function countFailures(results: readonly FileResult[]): {
  readonly files: number;
  readonly values: number;
} {
  const failures = results.flatMap((result) => result.failures);
  const values = failures.filter(({ key }) => key !== undefined).length;
  const isOfFile = ({ key }: Failure): boolean => key === undefined;
  const files = results.filter((result) => result.failures.some(isOfFile)).length;
  return { files, values };
}

function asJson(results: readonly FileResult[], { options, newest }: ReportContext): object {
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
  { options, newest }: ReportContext,
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
