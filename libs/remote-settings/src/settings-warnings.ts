// Owns which warnings about settings the log has had.
import { loggerFor } from '@tessera/logging';
import { sameValues, type LoadedSettings } from '@tessera/settings';

type Doubtful = Pick<LoadedSettings<unknown>, 'idleKeys' | 'warnings'>;

/** Tells what is doubtful in settings, and after a reload what was not so before. */
export class SettingsWarnings {
  private told: Doubtful = { idleKeys: [], warnings: [] };

  /** @param logger the name of the program's own */
  constructor(private readonly logger: string) {}

  tell({ idleKeys, warnings }: Doubtful): void {
    const log = loggerFor(this.logger);
    const isSame = sameValues(idleKeys, this.told.idleKeys);
    if (idleKeys.length > 0 && !isSame) {
      log.warn({ idleKeys }, 'settings of another server do nothing here');
    }
    for (const warning of warnings) {
      if (!this.told.warnings.includes(warning)) log.warn({}, warning);
    }
    this.told = { idleKeys, warnings };
  }
}
