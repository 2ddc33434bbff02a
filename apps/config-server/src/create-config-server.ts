// Owns putting the application together from its settings; listening is run-config-server.ts's matter.
import type { INestApplication } from '@nestjs/common';
import { reloadOf, type Reload } from '@tessera/reload';
import { createApplication } from '@tessera/server';
import type { LiveSettings } from '@tessera/settings';
import { AppModule } from './app.module.js';
import { openCallers } from './callers/open-callers.js';
import { inTheEndpointsWords } from './fault-wording.js';
import { Foundation } from './foundation.js';
import type { ConfigServerSettings } from './settings.js';

/**
 * Opens what the application stands on and creates it; `close()` on it closes both.
 *
 * @param reload what `POST /actuator/refresh` calls, and a backend that is refused its login
 */
export async function createConfigServer(
  live: LiveSettings<ConfigServerSettings>,
  reload: Reload = reloadOf(live),
): Promise<INestApplication> {
  const callers = await openCallers(live);
  const foundation = await Foundation.open(live, reload);
  try {
    const module = AppModule.forRoot({ live, reload, callers, foundation });
    return await createApplication(module, {
      contextPath: '',
      isTemporary,
      renderError: inTheEndpointsWords,
      tls: live.current.tls.options(),
    });
  } catch (error) {
    await foundation.onApplicationShutdown();
    throw error;
  }
}

/** What passes by itself says so of itself. */
function isTemporary(error: unknown): boolean {
  return error instanceof Error && Reflect.get(error, 'isTemporary') === true;
}
