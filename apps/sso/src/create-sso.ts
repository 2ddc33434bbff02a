// Owns putting the application together from its settings; listening is run-sso.ts's matter.
import type { INestApplication } from '@nestjs/common';
import { isUnavailable } from '@tessera/database';
import { reloadOf, type Reload } from '@tessera/reload';
import { createApplication, ExpiryWatch } from '@tessera/server';
import type { LiveSettings } from '@tessera/settings';
import { AppModule } from './app.module.js';
import { Foundation } from './foundation.js';
import { reloadBeforeOthers } from './other-nodes.js';
import type { SsoSettings } from './settings.js';
import { warnAboutSettings } from './settings-warnings.js';

/**
 * Opens what the application stands on and creates it; `close()` on it closes both.
 *
 * @param reload of the processes of this node; where a caller asks for it, the other nodes reload too
 */
export async function createSso(
  live: LiveSettings<SsoSettings>,
  reload: Reload = reloadOf(live),
): Promise<INestApplication> {
  const settings = live.current;
  const foundation = await Foundation.open(live, reload);
  try {
    const reloadAll = reloadBeforeOthers(foundation.parts.announcements, reload);
    const expiries = new ExpiryWatch();
    const module = await AppModule.forRoot(live, foundation, reloadAll, expiries);
    warnAboutSettings(
      live,
      ({ modules, throttle }) => modules.includes('rest') && !throttle.restEnabled,
      'failed logins over REST are not throttled: admit trusted networks only',
    );
    return await createApplication(module, {
      contextPath: settings.contextPath,
      isTemporary,
      tls: settings.tls.options(),
      expiries,
    });
  } catch (error) {
    await foundation.onApplicationShutdown();
    throw error;
  }
}

/** What passes by itself: the database away, or whatever else says so of itself. */
function isTemporary(error: unknown): boolean {
  return (
    isUnavailable(error) || (error instanceof Error && Reflect.get(error, 'isTemporary') === true)
  );
}
