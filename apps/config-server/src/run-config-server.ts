// The config server: load settings, create it, listen, and reload.
import 'reflect-metadata';
import { openReloading, programSettings } from '@tessera/config';
import { Listener, run, serve, setDrainTime, shutdownSignal } from '@tessera/server';
import { hostConfigServer } from './process/config-server-host.js';
import { isDemo } from './settings/demo.js';
import { ConfigServerSettings } from './settings/config-server-settings.js';

const APPLICATION = 'config-server';

export function runConfigServer(): Promise<void> {
  return run(APPLICATION, async () => {
    const { argv } = process;
    const program = { application: APPLICATION, argv, sharedPrefixes: ['audit', 'sso'] };
    const settings = await programSettings(ConfigServerSettings, program);
    if (settings === undefined) return;
    setDrainTime(() => settings.current.drainTime);
    const { host: address, port, baseUrl, tls, managementServer } = settings.current;
    const listener = await Listener.create(tls.options());
    const readMetrics = managementServer.isOn ? await recordMetrics(listener) : undefined;
    const listeners = { public: listener, management: readMetrics && (await Listener.create()) };
    const reloading = await openReloading(settings, (next) => host.prepare(next));
    const host = hostConfigServer(settings, {
      reload: reloading.reload,
      listeners,
      readMetrics,
    });
    const tracing = await openTracing(settings.current);
    if (tracing) tracing.server = listener.server;
    await settings.guard(() => host.start(settings.current));
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
    reloading.start(shutdownSignal());
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
