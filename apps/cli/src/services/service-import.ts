// `tessera service import`: imports service files and prints a report.
import { resolve } from 'node:path';
import {
  type FileReport,
  importServiceFiles,
  type ImportOptions,
  type ImportReport,
  summaryOf,
} from '@tessera/services';
import { CliError } from '../cli-error.js';
import { escapeForTerminal } from '../terminal.js';
import { changingServices, type ServiceCommandContext } from './service-changes.js';

/** Imports a file or directory. @throws CliError if a file is refused or a service contains unknown members */
export async function importServices(
  path: string,
  options: ImportOptions,
  { openDatabase, write }: ServiceCommandContext,
): Promise<void> {
  const report = await changingServices(openDatabase, async (store, record) => {
    const done = await importServiceFiles(store, resolve(path), options);
    if (!isUnwritten(done, options)) {
      await record({
        action: 'IMPORT_SERVICES',
        subject: path,
        details: { done: summaryOf(done) },
      });
    }
    return done;
  });
  const { files, refused, complete } = report;
  const unwritten = isUnwritten(report, options);
  for (const file of files) linesOf(file, unwritten).map(escapeForTerminal).forEach(write);
  const dryRun = options.dryRun ? '; a dry run: nothing was written' : '';
  write(`${summaryOf(report)}${refused ? '; nothing was written' : dryRun}`);
  if (refused) {
    throw new CliError(
      'nothing was imported: correct the refused files, or import the others with --skip-unreadable',
    );
  }
  if (!complete) throw new CliError('not everything was imported: see the report');
}

function isUnwritten({ refused }: ImportReport, { dryRun = false }: ImportOptions): boolean {
  return refused || dryRun;
}

function linesOf(report: FileReport, unwritten: boolean): readonly string[] {
  if ('reason' in report) {
    const { file, outcome, reason, advice } = report;
    const done = unwritten && outcome === 'removed' ? 'would be removed' : outcome;
    return [`${file}: ${done}, ${reason}`, ...advice.map((line) => `  ${line}`)];
  }
  const { file, outcome, name, enabled } = report;
  const disabledSuffix =
    report.notUnderstood.length > 0 ? ', disabled for what is not understood' : '';
  return [
    `${file}: ${unwritten ? 'would be ' : ''}${outcome} "${name}"${disabledSuffix || (enabled ? '' : ', disabled')}`,
    ...report.notUnderstood.map(({ member, reason }) => `  not understood: ${member} ${reason}`),
    ...(report.foreignUrl === undefined
      ? []
      : [`  warning: serviceId also matches ${report.foreignUrl}`]),
    ...report.withoutEffect.map(({ member, reason }) => `  note: ${member} ${reason}`),
    `  taken: ${report.taken.join(', ')}`,
  ];
}
