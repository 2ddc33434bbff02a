// `tessera service import`: imports service files, and says what became of each.
import { resolve } from 'node:path';
import { type FileReport, importServiceFiles, type ImportReport } from '@tessera/services';
import { CliError } from '../cli-error.js';
import { printable } from '../printable-text.js';
import { type ServiceCommandContext, withStore } from './service-changes.js';

/** Imports a file or directory; fails, after all that could be imported was, if not all could. */
export async function importServices(
  path: string,
  { dryRun = false }: { readonly dryRun?: boolean },
  { openDatabase, write }: ServiceCommandContext,
): Promise<void> {
  const report = await withStore(openDatabase, (store) =>
    importServiceFiles(store, resolve(path), { dryRun }),
  );
  for (const file of report.files) linesOf(file).map(printable).forEach(write);
  write(`${summary(report)}${dryRun ? '; a dry run: nothing was written' : ''}`);
  if (!report.complete) throw new CliError('not everything was imported: see the report');
}

function linesOf(report: FileReport): readonly string[] {
  if ('reason' in report) return [`${report.file}: ${report.outcome}, ${report.reason}`];
  const { file, outcome, name, enabled } = report;
  const closed = report.notUnderstood.length > 0 ? ', disabled for what is not understood' : '';
  return [
    `${file}: ${outcome} "${name}"${closed || (enabled ? '' : ', disabled')}`,
    ...report.notUnderstood.map(({ member, reason }) => `  not understood: ${member} ${reason}`),
    ...report.withoutEffect.map(({ member, reason }) => `  note: ${member} ${reason}`),
    `  taken: ${report.taken.join(', ')}`,
  ];
}

function summary({ files }: ImportReport): string {
  const counts = Map.groupBy(files, ({ outcome }) => outcome);
  const parts = [...counts].map(([outcome, each]) => `${each.length} ${outcome}`);
  return parts.length > 0 ? parts.toSorted().join(', ') : 'no files';
}
