// Runs the config server in this process, on a free port.
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  loadSettings,
  type Reload,
  reloadOf,
  type ReloadOutcome,
  ReloadableSettings,
} from '@tessera/config';
import { Listener } from '@tessera/server';
import { hostConfigServer } from '../../apps/config-server/src/process/config-server-host.js';
import { ConfigServerSettings } from '../../apps/config-server/src/settings/config-server-settings.js';
import { urlOf } from './http.js';

export interface ConfigServer {
  readonly url: string;
  close(): Promise<void>;
}

/** A config server that reads its settings from a file. */
export interface ReloadableConfigServer extends ConfigServer {
  /** Replaces the settings in the file. */
  write(settings: object): Promise<void>;
  /** @param settings if given, they replace those in the file first */
  reload(settings?: object): Promise<ReloadOutcome>;
}

const PROGRAM = { application: 'config-server', env: {}, argv: [] };

/** @param settings as on the command line; no other source is read */
export async function startConfigServer(settings: readonly string[]): Promise<ConfigServer> {
  const context = { ...PROGRAM, argv: settings };
  return serve(await ReloadableSettings.load(ConfigServerSettings, context));
}

/** @param folder for the settings file; no other source is read */
export async function startConfigServerFromFile(
  folder: string,
  settings: object,
): Promise<ReloadableConfigServer> {
  const write = (content: object) =>
    writeFile(join(folder, 'config/config-server.yml'), JSON.stringify(content));
  await mkdir(join(folder, 'config'), { recursive: true });
  await write(settings);
  const context = { ...PROGRAM, directory: folder, credentialDirectories: [] };
  const live = await ReloadableSettings.load(ConfigServerSettings, context);
  const server = await serve(live);
  return {
    ...server,
    write,
    reload: async (others) => {
      if (others) await write(others);
      return server.reload('spec');
    },
  };
}

/** @throws SettingsError with every violation */
export async function configServerSettings(argv: readonly string[]): Promise<ConfigServerSettings> {
  const { settings } = await loadSettings(ConfigServerSettings, { ...PROGRAM, argv });
  return settings;
}

async function serve(live: ReloadableSettings<ConfigServerSettings>) {
  const listener = await Listener.create(live.current.tls.options());
  const reload: Reload = reloadOf(live, (next) => host.prepare(next));
  const host = hostConfigServer(live, { reload, listeners: { public: listener } });
  await host.start(live.current);
  listener.server.listen(0, '127.0.0.1');
  await once(listener.server, 'listening');
  return {
    url: urlOf(host.application),
    reload,
    async close() {
      listener.server.close();
      listener.server.closeAllConnections();
      await host.close();
    },
  };
}
