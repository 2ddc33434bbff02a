// Creates the application from its settings; run-config-server.ts listens.
import type { INestApplication } from '@nestjs/common';
import { reloadOf, type Reload, type LiveSettings } from '@tessera/config';
import { createApplication } from '@tessera/server';
import { AppModule } from './app.module.js';
import { renderError } from './error-renderer.js';
import type { ConfigServerSettings } from './settings.js';
import { isTemporary } from './temporary-error.js';

/**
 * Creates and initialises the application; `close()` on it closes everything. Leaves nothing open when it fails.
 *
 * @param reload called by `POST /actuator/refresh`, and by a backend whose login is refused
 */
export function createConfigServer(
  live: LiveSettings<ConfigServerSettings>,
  reload: Reload = reloadOf(live),
): Promise<INestApplication> {
  return createApplication(AppModule.forRoot(live, reload), {
    contextPath: '',
    isTemporary,
    renderError,
    tls: live.current.tls.options(),
  });
}
