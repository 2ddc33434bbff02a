// Runs `tessera rotate`: finds the files, opens the keys, plans all files, and then writes them.
import { CliError } from '../cli-error.js';
import { warnOfWriting } from '../encryption/cipher-warning.js';
import { findSettingsFiles } from './rotate-files.js';
import { openRenewal, type RotateRequest } from './rotate-options.js';
import { planFile, type FilePlan } from './rotate-plan.js';
import { conclude, report, type FileResult } from './rotate-report.js';
import { replaceFile } from './rotate-write.js';

/** @throws CliError at the end, where anything failed; CliError, CryptoError or SettingsError at the start */
export async function rotate(request: RotateRequest): Promise<void> {
  const { paths, options, terminal } = request;
  const files = await findSettingsFiles(paths);
  const renewal = await openRenewal(request);
  const plans: FilePlan[] = [];
  for (const file of files) plans.push(await planFile(file, renewal));
  const { dryRun = false, keepGoing = false } = options;
  const results = dryRun ? plans.map(untouched) : await writeFiles(plans, keepGoing);
  if (results.some(({ isWritten, changes }) => isWritten || (dryRun && changes.length > 0))) {
    warnOfWriting(renewal.keys, terminal);
  }
  report(results, { options, newest: renewal.newest, terminal });
  conclude(results, { dryRun });
}

/** Writes none where one has failures, and none behind one that cannot be written; with `keepGoing` all others. */
export async function writeFiles(
  plans: readonly FilePlan[],
  keepGoing: boolean,
): Promise<FileResult[]> {
  const results: FileResult[] = [];
  let goesOn = keepGoing || plans.every(({ failures }) => failures.length === 0);
  for (const plan of plans) {
    const result = goesOn ? await writeFile(plan) : untouched(plan);
    goesOn &&= keepGoing || result.failures.length === 0;
    results.push(result);
  }
  return results;
}

async function writeFile(plan: FilePlan): Promise<FileResult> {
  const { file, changes, failures, before, after } = plan;
  if (before === undefined || changes.length === 0 || failures.length > 0) return untouched(plan);
  try {
    await replaceFile(file.realPath, before, after);
    return { ...plan, isWritten: true };
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    return { ...plan, failures: [{ reason: error.message }], isWritten: false };
  }
}

function untouched(plan: FilePlan): FileResult {
  return { ...plan, isWritten: false };
}
