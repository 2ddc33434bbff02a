// Log warnings about settings.
import { loggerFor } from '@tessera/logging';
import { sameValues, type LoadedSettings } from '../settings/index.js';

type LogFindings = Pick<LoadedSettings<unknown>, 'unusedKeys' | 'warnings'>;

/** Logs warnings about settings at the start, and after a reload those that are new. */
export class SettingsWarnings {
  private logged: LogFindings = { unusedKeys: [], warnings: [] };

  /** @param logger the name of the program's logger */
  constructor(private readonly logger: string) {}

  log({ unusedKeys, warnings }: LogFindings): void {
    const log = loggerFor(this.logger);
    const isSame = sameValues(unusedKeys, this.logged.unusedKeys);
    if (unusedKeys.length > 0 && !isSame) {
      log.warn({ idleKeys: unusedKeys }, 'settings of another server do nothing here');
    }
    for (const warning of warnings) {
      if (!this.logged.warnings.includes(warning)) log.warn({}, warning);
    }
    this.logged = { unusedKeys, warnings };
  }
}
