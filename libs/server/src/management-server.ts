// The management server: a Nest application of its own, on a listener that is apart from the public one.
import { Module, type DynamicModule } from '@nestjs/common';
import { loggerFor } from '@tessera/logging';
import { createApplication } from './application.js';
import type { ErrorRenderer, IsTemporary } from './request-errors.filter.js';
import { listen, type ManagementServer } from './serve.js';

const logger = loggerFor('server');

/** Operators and Prometheus need few. */
const MAX_CONNECTIONS = 128;

export interface ManagementServerOptions {
  /** Prefix of the setting of the port, such as `sso.management`. */
  readonly application: string;
  readonly host: string;
  /** Not 0: the port is known before the start. */
  readonly port: number;
  /** Which errors are temporary; default none. */
  readonly isTemporary?: IsTemporary;
  /** Formats errors that no filter has handled; default plain text. */
  readonly renderError?: ErrorRenderer;
}

@Module({})
class ManagementServerModule {}

/**
 * Creates the application and listens. Leaves nothing open when it fails.
 * @throws Error with the address and the setting to change, where it cannot listen
 */
export async function openManagementServer(
  modules: readonly DynamicModule[],
  { application, host, port, isTemporary = () => false, renderError }: ManagementServerOptions,
): Promise<ManagementServer> {
  const app = await createApplication(
    { module: ManagementServerModule, imports: [...modules] },
    { contextPath: '', isTemporary, ...(renderError && { renderError }) },
  );
  const server = app.getHttpServer();
  server.maxConnections = Math.min(server.maxConnections, MAX_CONNECTIONS);
  try {
    await listen(server, { application, host, port });
  } catch (error) {
    await app.close();
    throw error;
  }
  logger.info({ host, port }, 'the management server is listening');
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${port}`,
    async close() {
      server.closeAllConnections();
      await app.close();
    },
  };
}
