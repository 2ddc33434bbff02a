// Creates the application from its settings; run-sso.ts listens.
import type { INestApplication } from '@nestjs/common';
import { isUnavailable } from '@tessera/database';
import { reloadOf, type Reload, type LiveSettings } from '@tessera/config';
import { createApplication } from '@tessera/server';
import { AppModule } from './app.module.js';
import type { SsoSettings } from './settings.js';

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

/** An error that passes by itself: the database is unavailable, or the error says so. */
function isTemporary(error: unknown): boolean {
  return (
    isUnavailable(error) || (error instanceof Error && Reflect.get(error, 'isTemporary') === true)
  );
}
