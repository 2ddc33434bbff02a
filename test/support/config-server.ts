// The config server in this process, made from settings as its main program makes it, on a free port.
import { mkdir, writeFile } from 'node:fs/promises';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { reloadOf, type ReloadOutcome } from '@tessera/reload';
import { LiveSettings, loadSettings } from '@tessera/settings';
import { createConfigServer } from '../../apps/config-server/src/create-config-server.js';
import { ConfigServerSettings } from '../../apps/config-server/src/settings.js';

export interface ConfigServer {
  readonly url: string;
  close(): Promise<void>;
}

/** One whose settings stand in a file. */
export interface ReloadableConfigServer extends ConfigServer {
  /** @param settings in the place of those in the file */
  write(settings: object): Promise<void>;
  /** @param settings written first, where they are given */
  reload(settings?: object): Promise<ReloadOutcome>;
}

const PROGRAM = { application: 'config-server', env: {}, argv: [] };

/** @param settings as on the command line; no others count */
export async function startConfigServer(settings: readonly string[]): Promise<ConfigServer> {
  return serve(await liveConfigServerSettings(settings));
}

/** @param argv as on the command line; no others count */
export function liveConfigServerSettings(
  argv: readonly string[],
): Promise<LiveSettings<ConfigServerSettings>> {
  return LiveSettings.load(ConfigServerSettings, { ...PROGRAM, argv });
}

/** @param folder for the file; no other settings count */
export async function startConfigServerFromFile(
  folder: string,
  settings: object,
): Promise<ReloadableConfigServer> {
  const write = (content: object) =>
    writeFile(join(folder, 'config/config-server.yml'), JSON.stringify(content));
  await mkdir(join(folder, 'config'), { recursive: true });
  await write(settings);
  const context = { ...PROGRAM, directory: folder, credentialDirectories: [] };
  const live = await LiveSettings.load(ConfigServerSettings, context);
  const reload = reloadOf(live);
  return {
    ...(await serve(live)),
    write,
    reload: async (others) => {
      if (others) await write(others);
      return reload('spec');
    },
  };
}

/** @throws SettingsError with every problem */
export async function configServerSettings(argv: readonly string[]): Promise<ConfigServerSettings> {
  const { settings } = await loadSettings(ConfigServerSettings, { ...PROGRAM, argv });
  return settings;
}

async function serve(live: LiveSettings<ConfigServerSettings>): Promise<ConfigServer> {
  const app = await createConfigServer(live);
  await app.listen(0, '127.0.0.1');
  const { port } = (app.getHttpServer() as Server).address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, close: () => app.close() };
}
