// Owns the making of the backend `postgres` from its settings: the database is opened and migrated here, and closed with it.
// Loaded only where settings name that backend.
import { connect, migrate, openEmbeddedPostgres, poolOf } from '@tessera/database';
import type { PostgresBackendSettings } from '../../settings/postgres-backend-settings.js';
import { databaseNamedBy } from '../../settings/postgres-url.js';
import type { EnvironmentBackend } from '../environment-backend.js';
import { LatePropertiesStore, type OpenStore } from './late-properties-store.js';
import { PostgresBackend } from './postgres-backend.js';
import { PropertiesStore } from './properties-store.js';

/** Relative to the working directory, where the SSO application keeps it too: whoever comes second attaches to it. */
const EMBEDDED_DIRECTORY = '.data/postgres';

interface DatabaseOptions {
  readonly url: string;
  readonly poolSize: number;
  /** As the database shows it. */
  readonly applicationName: string;
}

/**
 * Waits for the embedded database alone: any other may come later than the server, and is opened and migrated when it is
 * there.
 *
 * @param settings that their own check has nothing against
 * @param applicationName as the database shows it
 * @throws DatabaseError EMBEDDED_POSTGRES_UNSUPPORTED, EMBEDDED_POSTGRES_FAILED
 */
export async function openPostgresBackend(
  settings: Pick<PostgresBackendSettings, 'databaseUrl' | 'poolSize' | 'defaultLabel'>,
  applicationName: string,
): Promise<EnvironmentBackend> {
  const { poolSize, defaultLabel } = settings;
  const database = await databaseOf(settings);
  const options = { url: database.url, poolSize, applicationName };
  const store = new LatePropertiesStore((closing) => openStore(options, closing));
  const close = async (): Promise<void> => {
    try {
      await store.close();
    } finally {
      await database.stop();
    }
  };
  return new PostgresBackend({ store, defaultLabel, place: databaseNamedBy(database.url), close });
}

async function databaseOf({
  databaseUrl,
}: Pick<PostgresBackendSettings, 'databaseUrl'>): Promise<{ url: string; stop(): Promise<void> }> {
  if (databaseUrl === undefined) return openEmbeddedPostgres({ directory: EMBEDDED_DIRECTORY });
  return { url: databaseUrl.reveal(), stop: () => Promise.resolve() };
}

/** @throws DatabaseError */
async function openStore(options: DatabaseOptions, closing: AbortSignal): Promise<OpenStore> {
  const dataSource = await connect({ ...options, retryForMs: 0 });
  try {
    closing.throwIfAborted();
    await migrate(dataSource);
  } catch (error) {
    await dataSource.destroy();
    throw error;
  }
  const store = new PropertiesStore(poolOf(dataSource));
  return { store, close: () => dataSource.destroy() };
}
