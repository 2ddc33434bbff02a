// Creates the application from its settings, without listening.
import type { INestApplication } from '@nestjs/common';
import { isUnavailable } from '@tessera/database';
import { reloadOf, type Reload } from '@tessera/reload';
import { createApplication, ExpiryWatch } from '@tessera/server';
import type { LiveSettings } from '@tessera/settings';
import { AppModule } from './app.module.js';
import { Foundation } from './foundation.js';
import { announceReloads } from './cross-node-reload.js';
import type { SsoSettings } from './settings.js';
import { warnAboutSettings } from './settings-warnings.js';

/**
 * Opens the foundation and creates the application. `close()` closes both.
 *
 * @param reload reloads the processes of this node; a reload by a caller is announced to the other nodes
 */
export async function createSso(
  live: LiveSettings<SsoSettings>,
  reload: Reload = reloadOf(live),
): Promise<INestApplication> {
  const settings = live.current;
  const foundation = await Foundation.open(live, reload);
  try {
    const reloadAll = announceReloads(foundation.parts.announcements, reload);
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

/** An unavailable database, or an error marked as temporary. */
function isTemporary(error: unknown): boolean {
  return (
    isUnavailable(error) || (error instanceof Error && Reflect.get(error, 'isTemporary') === true)
  );
}
