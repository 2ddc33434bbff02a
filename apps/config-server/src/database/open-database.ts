// Opens the database of the config server: connects, migrates, and follows changes of the login. Loaded only where a
// backend or the audit trail needs it.
import type { DataSource } from 'typeorm';
import { connect, DatabaseLogin, type LoginChange, migrate } from '@tessera/database';
import { describeDatabase, embeddedDatabaseUrl } from '@tessera/runtime';
import { LOGIN_REFUSED, type Reload, type LiveSettings, SettingsError } from '@tessera/config';
import { PropertyEntity } from '../backends/postgres/property.entity.js';
import type { ConfigServerSettings } from '../settings.js';
import { LazyDataSource } from './lazy-data-source.js';

export interface OpenedDatabase {
  readonly dataSource: Pick<LazyDataSource, 'current' | 'get'>;
  /** For the log: `database orders at db.example.org:5432`. */
  readonly place: string;
  close(): Promise<void>;
}

/**
 * Waits for the embedded database only. Any other database may be unavailable at start; it is opened and migrated in the
 * background.
 *
 * @param reload called to read a new login while PostgreSQL refuses the current one
 * @throws DatabaseError EMBEDDED_POSTGRES_UNSUPPORTED, EMBEDDED_POSTGRES_FAILED
 */
export async function openDatabase(
  live: LiveSettings<ConfigServerSettings>,
  reload: Reload,
): Promise<OpenedDatabase> {
  const { current } = live;
  const url = current.postgres.databaseUrl?.reveal() ?? (await embeddedDatabaseUrl());
  const tables = current.backendNames.includes('postgres') ? ['properties'] : ['audit_batch'];
  const login = new DatabaseLogin(url, { right: 'read', tables }, () => reload(LOGIN_REFUSED));
  live.follow({ files: [], prepare: (settings) => prepareLogin(login, settings) });
  const dataSource = new LazyDataSource((closing) => openDataSource(login, current, closing));
  return { dataSource, place: describeDatabase(url), close: () => dataSource.close() };
}

async function prepareLogin(
  login: DatabaseLogin,
  { applicationName, postgres }: ConfigServerSettings,
): Promise<LoginChange | undefined> {
  const change = await login.prepare(postgres.databaseUrl?.reveal());
  if (change === undefined || !('violation' in change)) return change;
  throw new SettingsError(applicationName, [{ key: 'database.url', message: change.violation }]);
}

/** @throws DatabaseError */
async function openDataSource(
  login: DatabaseLogin,
  { applicationName, postgres: { poolSize } }: ConfigServerSettings,
  closing: AbortSignal,
): Promise<DataSource> {
  const { url } = login;
  const entities = [PropertyEntity];
  const dataSource = await connect({ url, poolSize, applicationName, entities, retryForMs: 0 });
  try {
    closing.throwIfAborted();
    await migrate(dataSource);
    await login.attach(dataSource);
    return dataSource;
  } catch (error) {
    await dataSource.destroy();
    throw error;
  }
}
