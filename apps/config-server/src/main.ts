// The config server: load settings, create it, listen.
import 'reflect-metadata';
import { configureLogging } from '@tessera/logging';
import { createApplication, run, serve } from '@tessera/server';
import { loadSettings } from '@tessera/settings';
import { AppModule } from './app.module.js';
import { ConfigServerSettings } from './settings.js';

await run('config-server', async () => {
  const argv = process.argv.slice(2);
  const { settings } = await loadSettings(ConfigServerSettings, {
    application: 'config-server',
    argv,
  });
  configureLogging({ application: settings.applicationName, levels: settings.logLevels });
  const app = await createApplication(AppModule.forRoot(), {
    contextPath: '',
    isTemporary: () => false,
  });
  await serve(app, settings);
});
