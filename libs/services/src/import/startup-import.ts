// Imports service files when the application starts, and logs the outcome of each.
import { loggerFor } from '@tessera/logging';
import type { ServiceStore } from '../registry/service-store.js';
import { ServiceError } from '../service-error.js';
import { importServiceFiles, type FileReport, type ImportOptions } from './import-service-files.js';
import { summaryOf } from './import-summary.js';

const logger = loggerFor('services');

/**
 * @returns what was imported, for people; undefined where nothing has changed
 * @throws ServiceError SERVICE_FILES_UNREADABLE for a missing directory; SERVICE_FILES_REFUSED where a file is refused and
 *   nothing was imported
 */
export async function importAtStart(
  store: ServiceStore,
  directory: string,
  options: ImportOptions,
): Promise<string | undefined> {
  const report = await importServiceFiles(store, directory, options);
  const { files, refused } = report;
  const refusals = files.filter(({ outcome }) => outcome === 'refused');
  for (const each of refused ? refusals : files) logReport(each);
  if (refused) throw refusedFilesError(directory, refusals);
  return report.changes ? summaryOf(report) : undefined;
}

/** Unchanged services are not logged; refused or partly unsupported files are warnings. */
function logReport(report: FileReport): void {
  if ('reason' in report) {
    if (report.outcome === 'refused') logger.warn(report, 'a service file was refused');
    else logger.info(report, 'a file defines no service of CAS');
    return;
  }
  const { file, outcome, name, clientId, notUnderstood, withoutEffect, foreignUrl } = report;
  const service = { file, name, ...(clientId !== null && { clientId }) };
  if (notUnderstood.length > 0) {
    logger.warn({ ...service, notUnderstood }, 'a service was imported disabled');
  } else if (outcome !== 'unchanged') {
    logger.info({ ...service, outcome, withoutEffect, foreignUrl }, 'a service was imported');
  }
}

function refusedFilesError(
  directory: string,
  [first, ...others]: readonly FileReport[],
): ServiceError {
  const name = first?.file.replace(/\p{C}/gu, '?');
  const more = `${others.length} more ${others.length === 1 ? 'file' : 'files'}`;
  const files = others.length === 0 ? `${name} is` : `${name} and ${more} are`;
  return new ServiceError(
    'SERVICE_FILES_REFUSED',
    `cannot import ${directory}: ${files} refused, so nothing was imported; ` +
      'correct what the log names, or set sso.services.skip-unreadable to import the other files',
  );
}
