// The config server in this process, made from settings as its main program makes it, on a free port.
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { loadSettings } from '@tessera/settings';
import { createConfigServer } from '../../apps/config-server/src/create-config-server.js';
import { ConfigServerSettings } from '../../apps/config-server/src/settings.js';

export interface ConfigServer {
  readonly url: string;
  close(): Promise<void>;
}

/** @param settings as on the command line; no others count */
export async function startConfigServer(settings: readonly string[]): Promise<ConfigServer> {
  const app = await createConfigServer(await configServerSettings(settings));
  await app.listen(0, '127.0.0.1');
  const { port } = (app.getHttpServer() as Server).address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, close: () => app.close() };
}

/** @throws SettingsError with every problem */
export async function configServerSettings(argv: readonly string[]): Promise<ConfigServerSettings> {
  const { settings } = await loadSettings(ConfigServerSettings, {
    application: 'config-server',
    env: {},
    argv,
  });
  return settings;
}
