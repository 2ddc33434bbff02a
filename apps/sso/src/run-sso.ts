// Runs the SSO application: loads settings, creates the application, listens and reloads.
import cluster from 'node:cluster';
import 'reflect-metadata';
import { openReloading, primarySnapshot, programSettings } from '@tessera/config';
import { embeddedDatabaseUrl } from '@tessera/runtime';
import { run, runWorkers, serve, setDrainTime, shutdownSignal } from '@tessera/server';
import { consoleUrl } from './settings/operator-settings.js';
import { SsoSettings } from './settings/sso-settings.js';
import { SsoHost } from './process/sso-host.js';

const APPLICATION = 'sso';

export function runSso(): Promise<void> {
  return run(APPLICATION, async () => {
    const { argv } = process;
    const snapshot = await primarySnapshot();
    const program = { application: APPLICATION, argv, reports: cluster.isPrimary, snapshot };
    const settings = await programSettings(SsoSettings, program);
    if (settings === undefined) return;
    setDrainTime(() => settings.current.drainTime);
    // Workers inherit the URL.
    if (settings.current.hasOwnDatabase) await embeddedDatabaseUrl();
    const sso = new SsoHost(settings);
    const { reload, start } = await openReloading(settings, (next) => sso.prepare(next));
    const serveRequests = async (): Promise<void> => {
      const host = await sso.start(reload);
      const { host: address, port } = settings.current;
      await settings.guard(() =>
        serve(host, {
          application: APPLICATION,
          host: address,
          port,
          ...announced(settings.current),
          listeners: sso.listeners,
          management: sso.listeners.management && settings.current.managementServer,
          beforeExit: () => sso.closeTracing(),
        }),
      );
    };
    await runWorkers(settings.current.workerCount, serveRequests, () => sso.startPrimary(reload));
    start(shutdownSignal());
  });
}

/** The URLs and facts that `tessera start` prints. */
function announced(settings: SsoSettings) {
  const { baseUrl, loginPage, moduleNames, isDemo, hasOwnDatabase } = settings;
  const issuer = moduleNames.includes('oidc') ? `${baseUrl}/oidc` : undefined;
  return { baseUrl, loginPage, issuer, console: consoleUrl(settings), isDemo, hasOwnDatabase };
}
