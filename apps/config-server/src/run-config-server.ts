// The config server: load settings, create it, listen.
import 'reflect-metadata';
import { configureLogging, loggerFor } from '@tessera/logging';
import { run, serve } from '@tessera/server';
import { loadSettings } from '@tessera/settings';
import { createConfigServer } from './create-config-server.js';
import { isDemo } from './demo.js';
import { ConfigServerSettings } from './settings.js';

export function runConfigServer(): Promise<void> {
  return run('config-server', async () => {
    const application = 'config-server';
    const argv = process.argv.slice(2);
    const { settings, idleKeys } = await loadSettings(ConfigServerSettings, { application, argv });
    configureLogging({ application: settings.applicationName, levels: settings.logLevels });
    if (idleKeys.length > 0) {
      loggerFor('config-server').warn({ idleKeys }, 'settings of another server do nothing here');
    }
    const { host, port, baseUrl } = settings;
    const server = await createConfigServer(settings);
    await serve(server, { host, port, baseUrl, isDemo: isDemo(settings) });
  });
}
