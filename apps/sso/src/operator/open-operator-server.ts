// The management server with the operator's API.
import { Module, type DynamicModule, type INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { LiveSettings, type Reload, SettingsModule } from '@tessera/config';
import { nestLogger } from '@tessera/logging';
import {
  type ManagementServer,
  type ManagementServerOptions,
  openManagementServer,
} from '@tessera/server';
import { CurrentPrincipalsModule } from '../authentication/current-principals.js';
import { ClientAddressesModule } from '../client-addresses.module.js';
import { NAMESPACES } from '../settings/namespaces.js';
import { managementUrl } from '../settings/operator-settings.js';
import type { SsoSettings } from '../settings.js';
import { StorageModule } from '../storage.module.js';
import { isTemporary } from '../temporary-error.js';
import { OperatorModule, type OperatorOptions } from './operator.module.js';
import { managementErrorRenderer } from './problem.js';

/** One of them listens for announcements. */
const MAX_CONNECTIONS = 4;

@Module({})
class OperatorStorageModule {}

/** Opens the server. @param modules of the server besides the operator's API */
export function openOperatorServer(
  modules: readonly DynamicModule[],
  address: ManagementServerOptions,
  options: OperatorOptions,
): Promise<ManagementServer> {
  const { application, host, port } = address;
  const { current } = options.application.get<LiveSettings<SsoSettings>>(LiveSettings, {
    strict: false,
  });
  const renderError = managementErrorRenderer(managementUrl(current));
  const server = { application, host, port, isTemporary, renderError };
  return openManagementServer([...modules, OperatorModule.forRoot(options)], server);
}

/**
 * As {@link openOperatorServer}, in a process without the application: it has connections of its own to the database.
 * Leaves nothing open when it fails.
 */
export async function openLoneOperatorServer(
  modules: readonly DynamicModule[],
  { live, reload }: { readonly live: LiveSettings<SsoSettings>; readonly reload: Reload },
  readMetrics: OperatorOptions['readMetrics'],
): Promise<ManagementServer> {
  const application = await openStorage(live, reload);
  const { managementServer } = live.current;
  try {
    const server = await openOperatorServer(modules, managementServer, {
      application,
      readMetrics,
    });
    return {
      url: server.url,
      async close() {
        await server.close();
        await application.close();
      },
    };
  } catch (error) {
    await application.close();
    throw error;
  }
}

async function openStorage(
  live: LiveSettings<SsoSettings>,
  reload: Reload,
): Promise<INestApplicationContext> {
  const storage = StorageModule.forRoot({
    poolSize: ({ poolSize }) => Math.min(poolSize, MAX_CONNECTIONS),
    importsServices: false,
  });
  const settings = SettingsModule.forRoot(live, reload, NAMESPACES);
  const imports = [settings, storage, ClientAddressesModule, CurrentPrincipalsModule];
  return NestFactory.createApplicationContext(
    { module: OperatorStorageModule, imports },
    { logger: nestLogger(), abortOnError: false },
  );
}
