// The config server: load settings, create it, listen, and reload.
import 'reflect-metadata';
import { openReloading, programSettings } from '@tessera/config';
import { run, serve, shutdownSignal } from '@tessera/server';
import { createConfigServer } from './create-config-server.js';
import { isDemo } from './demo.js';
import { ConfigServerSettings } from './settings.js';

export function runConfigServer(): Promise<void> {
  return run('config-server', async () => {
    const { argv } = process;
    const application = 'config-server';
    const program = { application, argv, sharedPrefixes: ['audit', 'sso'] };
    const live = await programSettings(ConfigServerSettings, program);
    if (live === undefined) return;
    const reloading = await openReloading(live);
    const settings = live.current;
    const { host, port, baseUrl } = settings;
    const management = await createManagement(settings);
    const tracing = await openTracing(settings);
    const server = await live.guard(() => createConfigServer(live, reloading.reload));
    if (tracing) tracing.server = server.getHttpServer();
    const openManagement = management && (() => management.open(server));
    const isDemoRun = isDemo(settings);
    const beforeExit = tracing && (() => tracing.close());
    const address = { application, host, port, baseUrl };
    const options = { ...address, isDemo: isDemoRun, openManagement, beforeExit };
    await live.guard(() => serve(server, options));
    reloading.start(shutdownSignal());
  });
}

/** Undefined without a management server, whose code is then not loaded. */
async function createManagement(settings: ConfigServerSettings) {
  if (!settings.managementServer.isOn) return undefined;
  const { ConfigServerManagement } = await import('./metrics/open-management.js');
  return new ConfigServerManagement(settings);
}

/** Undefined without traces, whose code is then not loaded. */
async function openTracing({ tracing }: ConfigServerSettings) {
  if (!tracing.isEnabled) return undefined;
  const { openConfigServerTracing } = await import('./tracing/config-server-tracing.js');
  return openConfigServerTracing(tracing);
}
