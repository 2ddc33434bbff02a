// The config server: load settings, create it, listen.
import 'reflect-metadata';
import { programSettings } from '@tessera/remote-settings';
import { run, serve } from '@tessera/server';
import { createConfigServer } from './create-config-server.js';
import { isDemo } from './demo.js';
import { ConfigServerSettings } from './settings.js';

export function runConfigServer(): Promise<void> {
  return run('config-server', async () => {
    const { argv } = process;
    const program = { application: 'config-server', argv, sharedPrefixes: ['sso'] };
    const settings = await programSettings(ConfigServerSettings, program);
    if (settings === undefined) return;
    const { host, port, baseUrl } = settings;
    const server = await createConfigServer(settings);
    await serve(server, { host, port, baseUrl, isDemo: isDemo(settings) });
  });
}
