// The SSO application: load settings, create it, listen, and reload.
import cluster from 'node:cluster';
import 'reflect-metadata';
import { openReloading } from '@tessera/reload';
import { programSettings } from '@tessera/remote-settings';
import { run, runWorkers, serve, toldToEnd } from '@tessera/server';
import { createSso } from './create-sso.js';
import { SsoSettings } from './settings.js';

export function runSso(): Promise<void> {
  return run('sso', async () => {
    const { argv } = process;
    const program = { application: 'sso', argv, reports: cluster.isPrimary };
    const live = await programSettings(SsoSettings, program);
    if (live === undefined) return;
    const reloading = await openReloading(live);
    const settings = live.current;
    await runWorkers(settings.workerCount, async () => {
      await serve(await createSso(live, reloading.reload), settings);
    });
    reloading.start(toldToEnd());
  });
}
