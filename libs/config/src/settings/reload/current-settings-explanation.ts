// The current settings for display, and which of them wait for a restart.
import type { CoreSettings } from '../core-settings.js';
import { explainSettings, type ExplainedSetting } from '../explanation.js';
import type { ReadSettings } from '../loaded-settings.js';
import { changedKeys, plaintextByKey } from './changes.js';
import { isLive } from './restart.js';
import type { Snapshot } from './snapshot.js';

/** The value is the current one; the origin is that of the last reading. */
export interface ExplainedCurrentSetting extends ExplainedSetting {
  /** Whether a reload applies changes, or some of them. */
  readonly isLive: boolean;
  /** Whether the last reading has another value, which counts after a restart. */
  readonly restartNeeded: boolean;
}

/** The current settings for display, secrets masked. */
export type ExplainSettings = () => readonly ExplainedCurrentSetting[];

export function explainCurrent<T extends CoreSettings>(
  reading: ReadSettings<T>,
  { rawValues, accepted }: Snapshot,
): readonly ExplainedCurrentSetting[] {
  const { settings, validationInput } = reading;
  const waiting = new Set(changedKeys(plaintextByKey(reading), accepted));
  return explainSettings(settings, validationInput, rawValues).map((row) => {
    const setting = validationInput.settingKeys.find(row.key);
    return {
      ...row,
      isLive: setting !== undefined && isLive(settings, setting),
      restartNeeded: waiting.has(row.key),
    };
  });
}
