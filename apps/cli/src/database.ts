// Opens and closes the database of a command, with the settings of the SSO application.
import type { DataSource } from 'typeorm';
import { UserAccount } from '@tessera/accounts';
import { AuditEventEntity } from '@tessera/audit';
import { codeOf, connect, isUnavailable, migrate, openEmbeddedPostgres } from '@tessera/database';
import { describeDatabase } from '@tessera/runtime';
import { RegisteredServiceEntity } from '@tessera/services';
import { CliError } from './cli-error.js';
import { loadCliSettings, type CliSettings } from './settings.js';
import { writeLine, type Terminal } from './terminal.js';

/** Relative to the working directory; `tessera start` uses the same directory. */
const EMBEDDED_DIRECTORY = './.data/postgres';

/** Long enough for a database that restarts, and short enough for a user who waits. */
const CONNECT_TIMEOUT_MS = 5_000;

export interface OpenedDatabase {
  readonly dataSource: DataSource;
  readonly settings: CliSettings;
  close(): Promise<void>;
}

export type OpenDatabase = () => Promise<OpenedDatabase>;

/** What commands on the database need. */
export interface CommandContext {
  readonly openDatabase: OpenDatabase;
  readonly terminal: Terminal;
}

/** Reads the settings from `argv` and prints notices to standard error. */
export function databaseOpener(argv: readonly string[], terminal: Terminal): OpenDatabase {
  return async () => {
    const settings = await readSettings(argv, terminal);
    const postgres = await findPostgres(settings);
    let dataSource: DataSource | undefined;
    const close = async (): Promise<void> => {
      await dataSource?.destroy();
      await postgres.stop();
    };
    try {
      dataSource = await connectTo(postgres.url);
      await migrate(dataSource);
      return { dataSource, settings, close };
    } catch (error) {
      await close();
      throw error;
    }
  };
}

/** @throws CliError that names the database, without its user, where it cannot be reached */
async function connectTo(url: string): Promise<DataSource> {
  try {
    return await connect({
      url,
      poolSize: 2,
      applicationName: 'tessera command line',
      entities: [UserAccount, RegisteredServiceEntity, AuditEventEntity],
      retryForMs: CONNECT_TIMEOUT_MS,
    });
  } catch (error) {
    if (!isUnavailable(error)) throw error;
    const reason = codeOf((error as Error).cause) || 'no answer';
    throw new CliError(`${describeDatabase(url)} is not available (${reason})`);
  }
}

/** Runs `work` on the opened database and closes it, also after an error. */
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

/** Without a profile and a database, the profile is dev, which a notice reports. */
async function readSettings(argv: readonly string[], { stderr }: Terminal): Promise<CliSettings> {
  const { settings } = await loadCliSettings({ argv });
  if (settings.profiles.length > 0 || settings.databaseUrl) {
    return settings;
  }
  writeLine(stderr, 'tessera: no profile and no database.url given: using profile dev');
  return (await loadCliSettings({ argv, defaultProfiles: ['dev'] })).settings;
}

async function findPostgres(
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
