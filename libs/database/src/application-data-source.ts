// The data source of an application.
import { DataSource, type DataSourceOptions } from 'typeorm';
import { connectWith, type PostgresOptions } from './connection.js';
import { migrate } from './migrate.js';

/**
 * Connects and migrates the data source of an application. Leaves nothing open when it fails.
 *
 * @throws DatabaseError as {@link connect} and `migrate`
 */
export async function openDataSource(options?: DataSourceOptions): Promise<DataSource> {
  const dataSource = await connectWith(options as PostgresOptions, (each) => new DataSource(each));
  try {
    await migrate(dataSource);
    return dataSource;
  } catch (error) {
    await dataSource.destroy();
    throw error;
  }
}
