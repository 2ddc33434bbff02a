// Creates the application from its settings; run-config-server.ts listens.
import type { NestExpressApplication } from '@nestjs/platform-express';
import { createApplication } from '@tessera/server';
import { AppModule } from '../app.module.js';
import { renderError } from '../errors/error-renderer.js';
import type { ConfigServerParts } from './process-parts.js';
import type { ConfigServerSettings } from '../settings/config-server-settings.js';

/** Creates and initialises the application; `close()` on it closes everything. Leaves nothing open when it fails. */
export async function createConfigServer(
  settings: ConfigServerSettings,
  parts: ConfigServerParts,
): Promise<NestExpressApplication> {
  return createApplication(await AppModule.forRoot(settings, parts), {
    contextPath: '',
    renderError,
    listener: parts.listener,
  });
}
