// Runs the config server in this process, on a free port.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { reloadOf, type ReloadOutcome, LiveSettings, loadSettings } from '@tessera/config';
import { createConfigServer } from '../../apps/config-server/src/create-config-server.js';
import { ConfigServerSettings } from '../../apps/config-server/src/settings.js';
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
  return serve(await liveConfigServerSettings(settings));
}

/** @param argv as on the command line; no other source is read */
export function liveConfigServerSettings(
  argv: readonly string[],
): Promise<LiveSettings<ConfigServerSettings>> {
  return LiveSettings.load(ConfigServerSettings, { ...PROGRAM, argv });
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

/** @throws SettingsError with every violation */
export async function configServerSettings(argv: readonly string[]): Promise<ConfigServerSettings> {
  const { settings } = await loadSettings(ConfigServerSettings, { ...PROGRAM, argv });
  return settings;
}

async function serve(live: LiveSettings<ConfigServerSettings>): Promise<ConfigServer> {
  const app = await createConfigServer(live);
  await app.listen(0, '127.0.0.1');
  return { url: urlOf(app), close: () => app.close() };
}
