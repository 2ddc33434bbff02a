// Opens the database of the config server: connects and migrates. Loaded only where a backend or the audit trail needs it.
import type { DataSource } from 'typeorm';
import { connect, migrate, requireTableRights, watchCredentials } from '@tessera/database';
import { describeDatabase, embeddedDatabaseUrl, isUnavailable } from '@tessera/runtime';
import { DATABASE_CREDENTIALS_REFUSED } from '@tessera/config';
import type { ProcessParts } from '@tessera/server';
import { PropertyEntity } from './property.entity.js';
import type { ConfigServerSettings } from '../settings/config-server-settings.js';
import { LazyDataSource } from './lazy-data-source.js';

export interface OpenedDatabase {
  readonly dataSource: Pick<LazyDataSource, 'current' | 'get'>;
  /** For the log: `database orders at db.example.org:5432`. */
  readonly place: string;
  close(): Promise<void>;
}

/**
 * Opens and migrates the database in the background, which may be unavailable; waits for the start of the embedded one.
 * After a reload it waits for the first attempt where the backend `postgres` needs the database.
 *
 * @param parts of the process: `reload` is called to read new credentials while PostgreSQL refuses the current ones
 * @throws DatabaseError EMBEDDED_POSTGRES_UNSUPPORTED, EMBEDDED_POSTGRES_FAILED; after a reload also every reason but an
 * unavailable database, such as DATABASE_REFUSED
 */
export async function openDatabase(
  settings: ConfigServerSettings,
  { reload, isFirst }: Pick<ProcessParts, 'reload' | 'isFirst'>,
): Promise<OpenedDatabase> {
  const url = settings.postgres.databaseUrl?.reveal() ?? (await embeddedDatabaseUrl());
  const dataSource = new LazyDataSource(async (closing) => {
    const opened = await openDataSource(url, settings, closing);
    watchCredentials(opened, () => reload(DATABASE_CREDENTIALS_REFUSED));
    return opened;
  });
  if (!isFirst && settings.backendNames.includes('postgres')) {
    await requireUsable(dataSource);
  }
  return { dataSource, place: describeDatabase(url), close: () => dataSource.close() };
}

/** @throws the reason of the first attempt, unless the database is unavailable for now */
async function requireUsable(dataSource: LazyDataSource): Promise<void> {
  try {
    await dataSource.get();
  } catch (error) {
    if (isUnavailable(error)) return;
    await dataSource.close();
    throw error;
  }
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
