// Runs the SSO application: loads settings, creates the application, listens and reloads.
import cluster from 'node:cluster';
import 'reflect-metadata';
import {
  type LiveSettings,
  openReloading,
  primarySnapshot,
  programSettings,
  type Reload,
} from '@tessera/config';
import { embeddedDatabaseUrl } from '@tessera/runtime';
import { run, runWorkers, serve, shutdownSignal } from '@tessera/server';
import { createSso } from './create-sso.js';
import { consoleUrl } from './settings/operator-settings.js';
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
    // Its workers inherit the URL.
    if (settings.hasOwnDatabase) await embeddedDatabaseUrl();
    const management = await createManagement(live, reloading.reload);
    const start = async (): Promise<void> => {
      management?.recordRequests();
      const tracing = await openTracing(settings);
      const sso = await live.guard(() => createSso(live, reloading.reload));
      management?.attach(sso);
      if (tracing) tracing.server = sso.getHttpServer();
      await reloading.join(shutdownSignal());
      const { host, port, baseUrl, loginPage, isDemo, hasOwnDatabase } = settings;
      const openManagement =
        management && cluster.isPrimary ? () => management.open(sso) : undefined;
      const address = {
        application,
        host,
        port,
        baseUrl,
        openManagement,
        beforeExit: tracing && (() => tracing.close()),
        console: consoleUrl(settings),
      };
      await live.guard(() => serve(sso, { ...address, loginPage, isDemo, hasOwnDatabase }));
    };
    await runWorkers(settings.workerCount, start, management && (() => management.openInPrimary()));
    reloading.start(shutdownSignal());
  });
}

/** Undefined without a management server, whose code is then not loaded. */
async function createManagement(live: LiveSettings<SsoSettings>, reload: Reload) {
  if (!live.current.managementServer.isOn) return undefined;
  const { SsoManagement } = await import('./metrics/open-management.js');
  return new SsoManagement(live, reload);
}

/** Undefined without traces, whose code is then not loaded. */
async function openTracing({ tracing }: SsoSettings) {
  if (!tracing.isEnabled) return undefined;
  const { openSsoTracing } = await import('./tracing/sso-tracing.js');
  return openSsoTracing(tracing);
}
