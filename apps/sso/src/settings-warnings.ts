// Owns telling operators of settings that are risky, or of no effect: at the start, and when a reload makes it so.
import { loggerFor } from '@tessera/logging';
import type { Change, LiveSettings } from '@tessera/settings';
import type { SsoSettings } from './settings.js';

const logger = loggerFor('sso');

/** Warns where it is so by the settings in force, and whenever it comes to be so. */
export function warnAboutSettings(
  live: LiveSettings<SsoSettings>,
  isSo: (settings: SsoSettings) => boolean,
  message: string,
): void {
  const warn = (): void => logger.warn({}, message);
  const change: Change = { commit: warn, discard: () => {} };
  if (isSo(live.current)) warn();
  live.follow({
    files: [],
    prepare: (next) => Promise.resolve(isSo(next) && !isSo(live.current) ? change : undefined),
  });
}
