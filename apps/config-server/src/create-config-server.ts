// Owns putting the application together from its settings; listening is run-config-server.ts's matter.
import type { INestApplication } from '@nestjs/common';
import { loggerFor } from '@tessera/logging';
import { createApplication } from '@tessera/server';
import { AppModule } from './app.module.js';
import { inTheEndpointsWords } from './fault-wording.js';
import { Foundation } from './foundation.js';
import type { ConfigServerSettings } from './settings.js';

const log = loggerFor('config-server');

/** Opens what the application stands on and creates it; `close()` on it closes both. */
export async function createConfigServer(
  settings: ConfigServerSettings,
): Promise<INestApplication> {
  const foundation = await Foundation.open(settings);
  for (const { alias, bits } of foundation.keys.weakKeys) {
    log.warn(
      { alias, bits },
      'this RSA key is too short for new values: make one of 2048 bits or more',
    );
  }
  if (settings.servesWhatSpringCannotRead) {
    log.warn(
      {},
      'values are served encrypted, and Spring decrypts what encrypt.format=spring wrote',
    );
  }
  try {
    return await createApplication(AppModule.forRoot(settings, foundation), {
      contextPath: '',
      isTemporary,
      wording: inTheEndpointsWords,
      tls: settings.tls.options(),
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
