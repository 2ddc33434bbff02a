// The config server: load settings, create it, listen, and reload.
import 'reflect-metadata';
import { openReloading, programSettings, type ReloadableSettings } from '@tessera/config';
import { ApplicationHost, Listener, run, serve, shutdownSignal } from '@tessera/server';
import { ConfigAudit } from './audit/config-audit.js';
import { createConfigServer } from './create-config-server.js';
import { isDemo } from './demo.js';
import { ConfigServerSettings } from './settings.js';

const APPLICATION = 'config-server';

export function runConfigServer(): Promise<void> {
  return run(APPLICATION, async () => {
    const { argv } = process;
    const program = { application: APPLICATION, argv, sharedPrefixes: ['audit', 'sso'] };
    const settings = await programSettings(ConfigServerSettings, program);
    if (settings !== undefined) await runWith(settings);
  });
}

async function runWith(settings: ReloadableSettings<ConfigServerSettings>): Promise<void> {
  const { host: address, port, baseUrl, tls, managementServer } = settings.current;
  const listener = await Listener.create(tls.options());
  const readMetrics = managementServer.isOn ? await recordMetrics(listener) : undefined;
  const listeners = { public: listener, management: readMetrics && (await Listener.create()) };
  const { reload, start } = await openReloading(settings, (next) => host.prepare(next));
  const parts = { reload, explain: () => settings.explain(), listener, readMetrics };
  const host: ApplicationHost<ConfigServerSettings> = new ApplicationHost<ConfigServerSettings>(
    (next) => createConfigServer(next, { ...parts, isFirst: !host.hasStarted }),
    listeners,
  );
  const tracing = await openTracing(settings.current);
  if (tracing) tracing.server = listener.server;
  await settings.guard(() => host.start(settings.current));
  recordReloads(settings, host);
  await settings.guard(() =>
    serve(host, {
      application: APPLICATION,
      host: address,
      port,
      baseUrl,
      listeners,
      isDemo: isDemo(settings.current),
      management: listeners.management && managementServer,
      beforeExit: async () => tracing?.close(),
    }),
  );
  start(shutdownSignal());
}

function recordReloads(
  settings: ReloadableSettings<ConfigServerSettings>,
  host: ApplicationHost<ConfigServerSettings>,
): void {
  settings.onCommit((changes, before) => {
    if (changes.changed.length === 0 && changes.files === undefined) return;
    host.application.get(ConfigAudit, { strict: false }).recordReload(changes, before.storesAudit);
  });
}

/** Records from now on. The code is loaded only where there is a management listener. */
async function recordMetrics({ server }: Listener): Promise<() => Promise<string>> {
  const { ConfigServerMetrics } = await import('./metrics/config-server-metrics.js');
  const { metrics, http } = new ConfigServerMetrics();
  http.server = server;
  return () => metrics.text();
}

/** Undefined without traces, whose code is then not loaded. */
async function openTracing({ tracing }: ConfigServerSettings) {
  if (!tracing.isEnabled) return undefined;
  const { openConfigServerTracing } = await import('./tracing/config-server-tracing.js');
  return openConfigServerTracing(tracing);
}
