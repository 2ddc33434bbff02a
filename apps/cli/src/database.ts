// Opens the database that commands work on, by the settings of the SSO application, and closes it.
import type { DataSource } from 'typeorm';
import { UserAccount } from '@tessera/accounts';
import { connect, migrate, openEmbeddedPostgres } from '@tessera/database';
import { RegisteredServiceEntity } from '@tessera/services';
import { CliError } from './cli-error.js';
import { loadCliSettings, type CliSettings } from './settings.js';
import { writeLine, type Terminal } from './terminal.js';

/** Relative to the working directory, where `tessera start` keeps it too. */
const EMBEDDED_DIRECTORY = './.data/postgres';

// Somebody waits at a terminal: long enough for a database that restarts, no longer.
const CONNECT_FOR_MS = 5_000;

export interface OpenedDatabase {
  readonly dataSource: DataSource;
  readonly settings: CliSettings;
  close(): Promise<void>;
}

export type OpenDatabase = () => Promise<OpenedDatabase>;

/** How {@link OpenDatabase} finds its database: settings from `argv`, notices to the terminal. */
export function databaseOpener(argv: readonly string[], terminal: Terminal): OpenDatabase {
  return async () => {
    const settings = await readSettings(argv, terminal);
    const place = await locate(settings);
    let dataSource: DataSource | undefined;
    const close = async (): Promise<void> => {
      await dataSource?.destroy();
      await place.stop();
    };
    try {
      dataSource = await connect({
        url: place.url,
        poolSize: 2,
        applicationName: 'tessera command line',
        entities: [UserAccount, RegisteredServiceEntity],
        retryForMs: CONNECT_FOR_MS,
      });
      await migrate(dataSource);
      return { dataSource, settings, close };
    } catch (error) {
      await close();
      throw error;
    }
  };
}

/** Runs `work` on the opened database, and closes it whatever comes of that. */
export async function withDatabase<T>(
  open: OpenDatabase,
  work: (database: OpenedDatabase) => Promise<T>,
): Promise<T> {
  const database = await open();
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

/** Profile dev where neither a profile nor a database is named: said, as it is a guess. */
async function readSettings(argv: readonly string[], { stderr }: Terminal): Promise<CliSettings> {
  const { settings } = await loadCliSettings({ argv });
  if (settings.profiles.length > 0 || settings.databaseUrl) {
    return settings;
  }
  writeLine(stderr, 'tessera: no profile and no database.url given: using profile dev');
  return (await loadCliSettings({ argv, defaultProfiles: ['dev'] })).settings;
}

async function locate(
  settings: CliSettings,
): Promise<{ readonly url: string; stop(): Promise<void> }> {
  if (settings.databaseUrl) {
    return { url: settings.databaseUrl.reveal(), stop: () => Promise.resolve() };
  }
  if (settings.isActive('dev')) {
    return openEmbeddedPostgres({ directory: EMBEDDED_DIRECTORY });
  }
  throw new CliError(`database.url is not set (profiles: ${settings.profiles.join(', ')})`);
}
