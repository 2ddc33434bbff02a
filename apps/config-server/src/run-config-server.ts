// The config server: load settings, create it, listen.
import 'reflect-metadata';
import { configureLogging } from '@tessera/logging';
import { remoteSources } from '@tessera/remote-settings';
import { reportSettings, run, serve } from '@tessera/server';
import { type CoreSettings, loadSettings, readProgramArguments } from '@tessera/settings';
import { createConfigServer } from './create-config-server.js';
import { isDemo } from './demo.js';
import { ConfigServerSettings } from './settings.js';

export function runConfigServer(): Promise<void> {
  return run('config-server', async () => {
    const application = 'config-server';
    const { explains, argv } = readProgramArguments(process.argv);
    const sources = remoteSources();
    const context = { application, argv, sources, onLocal: logAsTold, sharedPrefixes: ['sso'] };
    const loaded = await loadSettings(ConfigServerSettings, context);
    if (explains) {
      process.stdout.write(`${JSON.stringify(loaded.explain())}\n`);
      return;
    }
    const { settings, idleKeys, warnings } = loaded;
    logAsTold(settings.applicationName, settings.logLevels);
    reportSettings('config-server', { idleKeys, warnings });
    const { host, port, baseUrl } = settings;
    const server = await createConfigServer(settings);
    await serve(server, { host, port, baseUrl, isDemo: isDemo(settings) });
  });
}

function logAsTold(application: string, levels: CoreSettings['logLevels']): void {
  configureLogging({ application, levels });
}
