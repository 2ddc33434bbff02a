// The SSO application: load settings, create it, listen.
import cluster from 'node:cluster';
import 'reflect-metadata';
import { configureLogging } from '@tessera/logging';
import { remoteSources } from '@tessera/remote-settings';
import { reportSettings, run, runWorkers, serve } from '@tessera/server';
import { type CoreSettings, loadSettings, readProgramArguments } from '@tessera/settings';
import { createSso } from './create-sso.js';
import { SsoSettings } from './settings.js';

export function runSso(): Promise<void> {
  return run('sso', async () => {
    const { explains, argv } = readProgramArguments(process.argv);
    const loaded = await loadSettings(SsoSettings, {
      application: 'sso',
      argv,
      sources: remoteSources(),
      onLocal: logAsTold,
    });
    if (explains) {
      process.stdout.write(`${JSON.stringify(loaded.explain())}\n`);
      return;
    }
    const { settings, idleKeys, warnings } = loaded;
    logAsTold(settings.applicationName, settings.logLevels);
    if (cluster.isPrimary) reportSettings('sso', { idleKeys, warnings });
    await runWorkers(settings.workerCount, async () => serve(await createSso(settings), settings));
  });
}

function logAsTold(application: string, levels: CoreSettings['logLevels']): void {
  configureLogging({ application, levels });
}
