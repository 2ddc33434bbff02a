// Owns putting the application together from its settings; listening is run-sso.ts's matter.
import type { INestApplication } from '@nestjs/common';
import { isUnavailable } from '@tessera/database';
import { loggerFor } from '@tessera/logging';
import { createApplication } from '@tessera/server';
import { AppModule } from './app.module.js';
import { Foundation } from './foundation.js';
import type { SsoSettings } from './settings.js';

const logger = loggerFor('sso');

/** Opens what the application stands on and creates it; `close()` on it closes both. */
export async function createSso(settings: SsoSettings): Promise<INestApplication> {
  const foundation = await Foundation.open(settings);
  try {
    const module = await AppModule.forRoot(settings, foundation);
    if (settings.modules.includes('rest') && !settings.throttle.restEnabled) {
      logger.warn({}, 'failed logins over REST are not throttled: admit trusted networks only');
    }
    return await createApplication(module, {
      contextPath: settings.contextPath,
      isTemporary,
      tls: settings.tls.options(),
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
