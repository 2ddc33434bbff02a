// The config server: load settings, create it, listen.
import { existsSync } from 'node:fs';
import 'reflect-metadata';
import { configureLogging } from '@tessera/logging';
import { run, serve } from '@tessera/server';
import { loadSettings } from '@tessera/settings';
import { createConfigServer } from './create-config-server.js';
import { ConfigServerSettings } from './settings.js';

await run('config-server', async () => {
  const application = 'config-server';
  const argv = process.argv.slice(2);
  const { settings } = await loadSettings(ConfigServerSettings, { application, argv });
  configureLogging({ application: settings.applicationName, levels: settings.logLevels });
  const { host, port, baseUrl, isOpen, native } = settings;
  // A newcomer is told to try what needs a key, and files to serve.
  const isDemo = isOpen && settings.isActive('dev') && existsSync(native.directory);
  await serve(await createConfigServer(settings), { host, port, baseUrl, isDemo });
});
