// Warns of settings that are risky or have no effect, at start and after a reload.
import { loggerFor } from '@tessera/logging';
import type { Change, LiveSettings } from '@tessera/config';
import type { SsoSettings } from './settings.js';

const logger = loggerFor('sso');

/** Warns where the condition applies to the current settings, and whenever a reload makes it apply. */
export function warnAboutSettings(
  live: LiveSettings<SsoSettings>,
  applies: (settings: SsoSettings) => boolean,
  message: string,
): void {
  const warn = (): void => logger.warn({}, message);
  const change: Change = { commit: warn, discard: () => {} };
  if (applies(live.current)) warn();
  live.follow({
    files: [],
    prepare: (next) =>
      Promise.resolve(applies(next) && !applies(live.current) ? change : undefined),
  });
}
