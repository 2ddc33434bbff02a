// Creates the application from its settings; run-sso.ts listens.
import type { INestApplication } from '@nestjs/common';
import { reloadOf, type Reload, type LiveSettings } from '@tessera/config';
import { createApplication } from '@tessera/server';
import { AppModule } from './app.module.js';
import type { SsoSettings } from './settings.js';
import { isTemporary } from './temporary-error.js';

/**
 * Creates and initialises the application; `close()` on it closes everything. Leaves nothing open when it fails.
 *
 * @param reload of the processes of this node
 */
export async function createSso(
  live: LiveSettings<SsoSettings>,
  reload: Reload = reloadOf(live),
): Promise<INestApplication> {
  const { contextPath, tls } = live.current;
  return createApplication(await AppModule.forRoot(live, reload), {
    contextPath,
    isTemporary,
    tls: tls.options(),
  });
}
