// Creates the application from its settings; run-sso.ts listens.
import type { NestExpressApplication } from '@nestjs/platform-express';
import { createApplication } from '@tessera/server';
import { AppModule } from '../app.module.js';
import type { SsoParts } from './process-parts.js';
import type { SsoSettings } from '../settings/sso-settings.js';

/** Creates and initialises the application; `close()` on it closes everything. Leaves nothing open when it fails. */
export async function createSso(
  settings: SsoSettings,
  parts: SsoParts,
): Promise<NestExpressApplication> {
  return createApplication(await AppModule.forRoot(settings, parts), {
    contextPath: settings.contextPath,
    listener: parts.listener,
  });
}
