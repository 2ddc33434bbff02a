// Log warnings about settings.
import { loggerFor } from '@tessera/logging';
import { sameValues, type LoadedSettings } from '../settings/index.js';

type LogFindings = Pick<LoadedSettings<unknown>, 'unusedKeys' | 'warnings'>;

/** A log line truncates longer lists. */
const MAX_LISTED = 100;

/** Logs warnings about settings at the start, and after a reload those that are new. */
export class SettingsWarnings {
  private logged: LogFindings = { unusedKeys: [], warnings: [] };

  /** @param logger the name of the program's logger */
  constructor(private readonly logger: string) {}

  log({ unusedKeys, warnings }: LogFindings): void {
    const log = loggerFor(this.logger);
    const fresh = sameValues(unusedKeys, this.logged.unusedKeys) ? [] : unusedKeys;
    for (let at = 0; at < fresh.length; at += MAX_LISTED) {
      const idleKeys = fresh.slice(at, at + MAX_LISTED);
      log.warn({ idleKeys }, 'settings of another server do nothing here');
    }
    for (const warning of warnings) {
      if (!this.logged.warnings.includes(warning)) log.warn({}, warning);
    }
    this.logged = { unusedKeys, warnings };
  }
}
