// Opens the database of the config server: connects and migrates. Loaded only where a backend or the audit trail needs it.
import type { DataSource } from 'typeorm';
import { connect, migrate, requireTableRights, watchLogin } from '@tessera/database';
import { describeDatabase, embeddedDatabaseUrl } from '@tessera/runtime';
import { LOGIN_REFUSED, type Reload } from '@tessera/config';
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
  settings: ConfigServerSettings,
  reload: Reload,
): Promise<OpenedDatabase> {
  const url = settings.postgres.databaseUrl?.reveal() ?? (await embeddedDatabaseUrl());
  const dataSource = new LazyDataSource(async (closing) => {
    const opened = await openDataSource(url, settings, closing);
    watchLogin(opened, () => reload(LOGIN_REFUSED));
    return opened;
  });
  return { dataSource, place: describeDatabase(url), close: () => dataSource.close() };
}

/** @throws DatabaseError */
async function openDataSource(
  url: string,
  { applicationName, backendNames, postgres: { poolSize } }: ConfigServerSettings,
  closing: AbortSignal,
): Promise<DataSource> {
  const entities = [PropertyEntity];
  const dataSource = await connect({ url, poolSize, applicationName, entities, retryForMs: 0 });
  try {
    closing.throwIfAborted();
    await migrate(dataSource);
    if (backendNames.includes('postgres')) {
      await requireTableRights(dataSource, { right: 'read', tables: ['properties'] });
    }
    return dataSource;
  } catch (error) {
    await dataSource.destroy();
    throw error;
  }
}
