// The data source of an application.
import { DataSource, type DataSourceOptions } from 'typeorm';
import { refusedError } from './connection-errors.js';
import { connectWith, type PostgresOptions } from './connection.js';
import { migrate, pendingMigrations } from './migrate.js';
import { TABLES } from './migrations/index.js';
import { requireTableRights, requireUnloggedTickets } from './table-rights.js';

type ApplicationOptions = PostgresOptions & {
  /** Whether it is the first of its process: a later one neither waits for the database nor migrates it. */
  readonly isFirst: boolean;
};

/**
 * Connects and migrates the data source of an application. Leaves nothing open when it fails.
 *
 * @throws DatabaseError as {@link connect} and `migrate`; DATABASE_REFUSED where the role lacks a right, or a table of
 * service tickets is durable
 */
export async function openDataSource(given?: DataSourceOptions): Promise<DataSource> {
  const { isFirst, ...options } = given as ApplicationOptions;
  const create = (each: PostgresOptions) => new DataSource(each);
  const dataSource = await connectWith(options, create, isFirst ? undefined : 0);
  try {
    if (isFirst) await migrate(dataSource);
    await requireTableRights(dataSource, { right: 'own', tables: TABLES });
    if (!isFirst) await requireMigrated(dataSource);
    await requireUnloggedTickets(dataSource);
    return dataSource;
  } catch (error) {
    await dataSource.destroy();
    throw error;
  }
}

/** A reload that names another database, or a role that finds other tables, must not migrate it. */
async function requireMigrated(dataSource: DataSource): Promise<void> {
  if ((await pendingMigrations(dataSource)).length === 0) return;
  throw refusedError(
    'this database does not have the tables of this version: only a start makes them',
  );
}
