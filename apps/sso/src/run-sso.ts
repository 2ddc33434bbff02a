// The SSO application: load settings, create it, listen.
import cluster from 'node:cluster';
import 'reflect-metadata';
import { configureLogging, loggerFor } from '@tessera/logging';
import { run, runWorkers, serve } from '@tessera/server';
import { loadSettings } from '@tessera/settings';
import { createSso } from './create-sso.js';
import { SsoSettings } from './settings.js';

export function runSso(): Promise<void> {
  return run('sso', async () => {
    const argv = process.argv.slice(2);
    const { settings, idleKeys } = await loadSettings(SsoSettings, { application: 'sso', argv });
    configureLogging({ application: settings.applicationName, levels: settings.logLevels });
    if (idleKeys.length > 0 && cluster.isPrimary) {
      loggerFor('sso').warn({ idleKeys }, 'settings of another server do nothing here');
    }
    await runWorkers(settings.workerCount, async () => serve(await createSso(settings), settings));
  });
}
