// Opens and closes the database of a command, with the settings of the SSO application.
import { resolve } from 'node:path';
import type { DataSource } from 'typeorm';
import { UserAccount } from '@tessera/accounts';
import { AuditEventEntity } from '@tessera/audit';
import { codeOf, connect, isUnavailable, migrate } from '@tessera/database';
import { hasEmbeddedPostgres } from '@tessera/embedded-postgres';
import { describeDatabase } from '@tessera/runtime';
import { RegisteredServiceEntity } from '@tessera/services';
import type { LoadedSettings } from '@tessera/config';
import { CliError } from './cli-error.js';
import { EMBEDDED_DIRECTORY, openPostgresHere } from './embedded-postgres.js';
import { loadCliSettings, type CliSettings } from './settings.js';
import { escapeForTerminal, writeLine, type Terminal } from './terminal.js';

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

/**
 * Reads the settings from `argv`, and says on standard error which database they lead to, unless `argv` names it. A command
 * makes no database: it uses the embedded one only where a start has made it, and runs it while no start does.
 *
 * @param migrates false leaves the schema as it is
 */
export function databaseOpener(
  argv: readonly string[],
  terminal: Terminal,
  { migrates = true } = {},
): OpenDatabase {
  return async () => {
    const loaded = await readSettings(argv, terminal);
    const { settings } = loaded;
    const isNamed = loaded.origins('database.url') === 'command line';
    const postgres = await findPostgres(settings);
    if (!isNamed) writeLine(terminal.stderr, `tessera: using ${postgres.name}`);
    let dataSource: DataSource | undefined;
    const close = async (): Promise<void> => {
      await dataSource?.destroy();
      await postgres.stop();
    };
    try {
      dataSource = await connectTo(postgres.url);
      if (migrates) await migrate(dataSource);
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

/** Without a profile and a database, the profile is dev. Prints warnings. */
async function readSettings(
  argv: readonly string[],
  { stderr }: Terminal,
): Promise<LoadedSettings<CliSettings>> {
  const given = await loadCliSettings({ argv });
  for (const warning of given.warnings) {
    writeLine(stderr, `tessera: ${escapeForTerminal(warning)}`);
  }
  const isDev = given.profiles.length === 0 && given.settings.databaseUrl === undefined;
  return isDev ? loadCliSettings({ argv, defaultProfiles: ['dev'] }) : given;
}

interface FoundPostgres {
  readonly url: string;
  /** Without user and password. */
  readonly name: string;
  stop(): Promise<void>;
}

/** @throws CliError where there is none */
async function findPostgres(settings: CliSettings): Promise<FoundPostgres> {
  if (settings.databaseUrl) {
    const url = settings.databaseUrl.reveal();
    return { url, name: escapeForTerminal(describeDatabase(url)), stop: () => Promise.resolve() };
  }
  if (!settings.isActive('dev')) {
    throw new CliError(
      `database.url is not set (profiles: ${settings.profiles.join(', ')}): set it where the SSO application has it, ` +
        'and name the place by SETTINGS_LOCATION or CREDENTIALS_DIRECTORY',
    );
  }
  const name = `the embedded PostgreSQL in ${resolve(EMBEDDED_DIRECTORY)}`;
  if (!(await hasEmbeddedPostgres(EMBEDDED_DIRECTORY))) {
    throw new CliError(
      `there is no database: database.url is not set, and npm start has not made ${name}. ` +
        'In production, set PROFILES_ACTIVE=production, SETTINGS_LOCATION and CREDENTIALS_DIRECTORY as for the SSO ' +
        'application (docs/deployment.md); to try Tessera, run npm start first',
    );
  }
  return { ...(await openPostgresHere({ shared: true })), name };
}
