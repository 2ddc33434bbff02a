// The SSO application: load settings, create it, listen.
import 'reflect-metadata';
import { configureLogging } from '@tessera/logging';
import { run, runWorkers, serve } from '@tessera/server';
import { loadSettings } from '@tessera/settings';
import { createSso } from './create-sso.js';
import { SsoSettings } from './settings.js';

await run('sso', async () => {
  const argv = process.argv.slice(2);
  const { settings } = await loadSettings(SsoSettings, { application: 'sso', argv });
  configureLogging({ application: settings.applicationName, levels: settings.logLevels });
  await runWorkers(settings.workerCount, async () => serve(await createSso(settings), settings));
});
