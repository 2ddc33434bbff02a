// Owns the settings of when settings are read again without anybody's asking.
import { Max, Min } from '../bounds.js';
import { duration } from '../readers/duration.js';
import { Setting } from '../setting.js';
import { Live } from './live.js';

const SECOND = 1_000;
const DAY = 86_400 * SECOND;

@Live()
export class ReloadSettings {
  /** How often files are looked at for changes; 0 s: never. */
  @Setting('settings.reload.file-interval', duration) @Min(0) @Max(DAY) fileInterval = SECOND;
  /** How often Vault and the config server are asked again; 0 s: never. */
  @Setting('settings.reload.remote-interval', duration) @Min(0) @Max(DAY) remoteInterval =
    60 * SECOND;
}
