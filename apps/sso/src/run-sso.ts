// Runs the SSO application: loads settings, creates the application, listens and reloads.
import cluster from 'node:cluster';
import 'reflect-metadata';
import { openReloading, primarySnapshot, programSettings } from '@tessera/config';
import { run, runWorkers, serve, shutdownSignal } from '@tessera/server';
import { createSso } from './create-sso.js';
import { SsoSettings } from './settings.js';

export function runSso(): Promise<void> {
  return run('sso', async () => {
    const { argv } = process;
    const snapshot = await primarySnapshot();
    const application = 'sso';
    const program = { application, argv, reports: cluster.isPrimary, snapshot };
    const live = await programSettings(SsoSettings, program);
    if (live === undefined) return;
    const reloading = await openReloading(live);
    const settings = live.current;
    await runWorkers(settings.workerCount, async () => {
      const sso = await live.guard(() => createSso(live, reloading.reload));
      await reloading.join(shutdownSignal());
      const { host, port, baseUrl, loginPage, isDemo, hasOwnDatabase } = settings;
      const options = { application, host, port, baseUrl, loginPage, isDemo, hasOwnDatabase };
      await live.guard(() => serve(sso, options));
    });
    reloading.start(shutdownSignal());
  });
}
