// Opens the backend `postgres`. Loaded only if it is configured.
import type { SharedDatabase } from '../../database/shared-database.js';
import type { EnvironmentBackend } from '../environment-backend.js';
import { PostgresBackend } from './postgres-backend.js';
import { PropertiesStore } from './properties-store.js';

/** @throws DatabaseError EMBEDDED_POSTGRES_UNSUPPORTED, EMBEDDED_POSTGRES_FAILED */
export async function openPostgresBackend(
  database: Pick<SharedDatabase, 'open'>,
  defaultLabel: string,
): Promise<EnvironmentBackend> {
  const { dataSource, place } = await database.open();
  const store = new PropertiesStore(() => dataSource.get());
  return new PostgresBackend({ store, defaultLabel, place });
}
