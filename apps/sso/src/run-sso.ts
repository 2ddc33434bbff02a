// The SSO application: load settings, create it, listen.
import cluster from 'node:cluster';
import 'reflect-metadata';
import { programSettings } from '@tessera/remote-settings';
import { run, runWorkers, serve } from '@tessera/server';
import { createSso } from './create-sso.js';
import { SsoSettings } from './settings.js';

export function runSso(): Promise<void> {
  return run('sso', async () => {
    const { argv } = process;
    const program = { application: 'sso', argv, reports: cluster.isPrimary };
    const settings = await programSettings(SsoSettings, program);
    if (settings === undefined) return;
    await runWorkers(settings.workerCount, async () => serve(await createSso(settings), settings));
  });
}
