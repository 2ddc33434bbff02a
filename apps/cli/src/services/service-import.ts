// `tessera service import`: imports service files and prints a report.
import { resolve } from 'node:path';
import { PasswordHashing } from '@tessera/crypto';
import {
  ClientSecrets,
  importServiceFiles,
  type ImportOptions,
  type ImportReport,
  ServiceStore,
  summaryOf,
} from '@tessera/services';
import { changing } from '../audit/changes.js';
import { CliError } from '../cli-error.js';
import { jsonReport, lastLine, linesOfFiles, summaryTable } from './import-report.js';
import { type ServiceCommandContext, withStore } from './service-changes.js';

export interface ImportCommandOptions extends ImportOptions {
  /** One line for each file. */
  readonly summary?: boolean;
  readonly json?: boolean;
}

/** Imports a file or directory. @throws CliError if a file is refused or a service contains unknown members */
export async function importServices(
  path: string,
  options: ImportCommandOptions,
  { openDatabase, write }: ServiceCommandContext,
): Promise<void> {
  const report = await withStore(openDatabase, (_, database) =>
    changing(database, async ({ manager, record }) => {
      const hashing = new PasswordHashing(database.settings.argon2);
      const done = await importServiceFiles(ServiceStore.of(manager), resolve(path), {
        ...options,
        adoptSecrets: (secrets) => new ClientSecrets(manager).adopt(secrets, hashing),
      });
      if (!isUnwritten(done, options)) {
        const details = { done: summaryOf(done) };
        await record({ action: 'IMPORT_SERVICES', subject: path, details });
      }
      return done;
    }),
  );
  writeReport(report, options, write);
  if (report.refused) {
    throw new CliError(
      'nothing was imported: correct the refused files, or import the others with --skip-unreadable',
    );
  }
  if (!report.complete) throw new CliError('not everything was imported: see the report');
}

function writeReport(
  report: ImportReport,
  options: ImportCommandOptions,
  write: (line: string) => void,
): void {
  const unwritten = isUnwritten(report, options);
  if (options.json) {
    write(jsonReport(report, unwritten));
    return;
  }
  if (options.summary) write(summaryTable(report));
  else linesOfFiles(report, unwritten).forEach(write);
  const dryRun = options.dryRun ? '; a dry run: nothing was written' : '';
  write(`${summaryOf(report)}${report.refused ? '; nothing was written' : dryRun}`);
  write(lastLine(report));
}

function isUnwritten({ refused }: ImportReport, { dryRun = false }: ImportOptions): boolean {
  return refused || dryRun;
}
