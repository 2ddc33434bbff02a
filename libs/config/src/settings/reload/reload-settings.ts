// The polling intervals of settings, in milliseconds.
import { Max, Min } from 'class-validator';
import type { Violation } from '../violation.js';
import { duration } from '../parsers/duration.js';
import { Setting, type SettingsGroup } from '../setting.js';

const SECOND = 1_000;
const DAY = 86_400 * SECOND;
/** Each poll reads the state of every file. */
const MIN_FILE_INTERVAL = 100;

export class ReloadSettings implements SettingsGroup {
  /** How often files are checked for changes; 0: never. */
  @Setting('settings.reload.file-interval', duration) @Min(0) @Max(DAY) fileInterval = SECOND;
  /** How often Vault and the config server are polled; 0: never. */
  @Setting('settings.reload.remote-interval', duration) @Min(0) @Max(DAY) remoteInterval =
    60 * SECOND;

  *check(): Iterable<Violation> {
    if (isTooShort(this.fileInterval, MIN_FILE_INTERVAL)) {
      yield { key: 'settings.reload.file-interval', message: 'must be 0s or at least 100ms' };
    }
    if (isTooShort(this.remoteInterval, SECOND)) {
      yield { key: 'settings.reload.remote-interval', message: 'must be 0s or at least 1s' };
    }
  }
}

function isTooShort(interval: number, least: number): boolean {
  return interval > 0 && interval < least;
}
