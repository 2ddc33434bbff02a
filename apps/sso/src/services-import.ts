// Owns reading the service definitions that the settings name, at start, and saying what came of each file.
import { loggerFor } from '@tessera/logging';
import { importServiceFiles, type FileReport, type ServiceStore } from '@tessera/services';

const logger = loggerFor('services');

/**
 * Imports the directory; a file that cannot be taken keeps no other from being.
 * @throws ServiceError SERVICE_FILES_UNREADABLE where there is no such directory
 */
export async function importServices(store: ServiceStore, directory: string): Promise<void> {
  const { files } = await importServiceFiles(store, directory);
  for (const report of files) logReport(report);
}

/** What was left alone is no news; what was refused or is not understood needs somebody's attention. */
function logReport(report: FileReport): void {
  if ('reason' in report) {
    if (report.outcome === 'refused') logger.warn(report, 'a service file was refused');
    return;
  }
  const { file, outcome, name, notUnderstood, withoutEffect } = report;
  if (notUnderstood.length > 0) {
    logger.warn({ file, name, notUnderstood }, 'a service was imported disabled');
  } else if (outcome !== 'unchanged') {
    logger.info({ file, name, outcome, withoutEffect }, 'a service was imported');
  }
}
