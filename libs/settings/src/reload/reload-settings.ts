// Owns the settings of when settings are read again without anybody's asking.
import { Max, Min } from '../bounds.js';
import type { Complaint } from '../complaint.js';
import { duration } from '../readers/duration.js';
import { Setting, type SettingsGroup } from '../setting.js';
import { Live } from './live.js';

const SECOND = 1_000;
const DAY = 86_400 * SECOND;
/** Each look reads the state of every file. */
const LEAST_FOR_FILES = 100;

@Live()
export class ReloadSettings implements SettingsGroup {
  /** How often files are looked at for changes; 0 s: never. */
  @Setting('settings.reload.file-interval', duration) @Min(0) @Max(DAY) fileInterval = SECOND;
  /** How often Vault and the config server are asked again; 0 s: never. */
  @Setting('settings.reload.remote-interval', duration) @Min(0) @Max(DAY) remoteInterval =
    60 * SECOND;

  *check(): Iterable<Complaint> {
    if (isTooOften(this.fileInterval, LEAST_FOR_FILES)) {
      yield { key: 'settings.reload.file-interval', message: 'must be 0s or at least 100ms' };
    }
    if (isTooOften(this.remoteInterval, SECOND)) {
      yield { key: 'settings.reload.remote-interval', message: 'must be 0s or at least 1s' };
    }
  }
}

function isTooOften(interval: number, least: number): boolean {
  return interval > 0 && interval < least;
}
