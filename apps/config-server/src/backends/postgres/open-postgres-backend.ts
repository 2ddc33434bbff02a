// Opens the backend `postgres`: connects, migrates, and follows changes of the login. Loaded only if it is configured.
import {
  connect,
  DatabaseLogin,
  type LoginChange,
  migrate,
  openEmbeddedPostgres,
} from '@tessera/database';
import { describeDatabase } from '@tessera/runtime';
import {
  LOGIN_REFUSED,
  type Reload,
  type LiveSettings,
  type Secret,
  SettingsError,
} from '@tessera/config';
import type { ConfigServerSettings } from '../../settings.js';
import type { EnvironmentBackend } from '../environment-backend.js';
import { LazyPropertiesStore, type OpenStore } from './lazy-properties-store.js';
import { PostgresBackend } from './postgres-backend.js';
import { PropertiesStore } from './properties-store.js';
import { PropertyEntity } from './property.entity.js';

/** Relative to the working directory. The SSO application uses the same one; the second process attaches to the first. */
const EMBEDDED_DIRECTORY = '.data/postgres';

/**
 * Waits for the embedded database only. Any other database may be unavailable at start; it is opened and migrated in the
 * background.
 *
 * @param reload called to read a new login while PostgreSQL refuses the current one
 * @throws DatabaseError EMBEDDED_POSTGRES_UNSUPPORTED, EMBEDDED_POSTGRES_FAILED
 */
export async function openPostgresBackend(
  live: LiveSettings<ConfigServerSettings>,
  reload: Reload,
): Promise<EnvironmentBackend> {
  const { databaseUrl, defaultLabel } = live.current.postgres;
  const database = await databaseOf(databaseUrl);
  const needs = { right: 'read', tables: ['properties'] } as const;
  const login = new DatabaseLogin(database.url, needs, () => reload(LOGIN_REFUSED));
  live.follow({ files: [], prepare: (settings) => prepareLogin(login, settings) });
  const { current } = live;
  const store = new LazyPropertiesStore((closing) => openStore(login, current, closing));
  const close = async (): Promise<void> => {
    try {
      await store.close();
    } finally {
      await database.stop();
    }
  };
  return new PostgresBackend({ store, defaultLabel, place: describeDatabase(database.url), close });
}

async function prepareLogin(
  login: DatabaseLogin,
  { applicationName, postgres }: ConfigServerSettings,
): Promise<LoginChange | undefined> {
  const change = await login.prepare(postgres.databaseUrl?.reveal());
  if (change === undefined || !('violation' in change)) return change;
  throw new SettingsError(applicationName, [{ key: 'database.url', message: change.violation }]);
}

async function databaseOf(
  databaseUrl: Secret | undefined,
): Promise<{ url: string; stop(): Promise<void> }> {
  if (databaseUrl === undefined) return openEmbeddedPostgres({ directory: EMBEDDED_DIRECTORY });
  return { url: databaseUrl.reveal(), stop: () => Promise.resolve() };
}

/** @throws DatabaseError */
async function openStore(
  login: DatabaseLogin,
  { applicationName, postgres: { poolSize } }: ConfigServerSettings,
  closing: AbortSignal,
): Promise<OpenStore> {
  const { url } = login;
  const entities = [PropertyEntity];
  const dataSource = await connect({ url, poolSize, applicationName, entities, retryForMs: 0 });
  try {
    closing.throwIfAborted();
    await migrate(dataSource);
    await login.attach(dataSource);
  } catch (error) {
    await dataSource.destroy();
    throw error;
  }
  const store = new PropertiesStore(dataSource.getRepository(PropertyEntity));
  return { store, close: () => dataSource.destroy() };
}
