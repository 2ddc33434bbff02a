// The data source of an application, with the embedded PostgreSQL when there is no database URL.
import { DataSource, type DataSourceOptions } from 'typeorm';
import { connectWith, type PostgresOptions } from './connection.js';
import { openEmbeddedPostgres, type EmbeddedPostgres } from './embedded/open.js';
import { migrate } from './migrate.js';

const EMBEDDED_DIRECTORY = '.data/postgres';

/** A data source that stops the server that was started for it. */
class ApplicationDataSource extends DataSource {
  constructor(
    options: PostgresOptions,
    private readonly server: EmbeddedPostgres | undefined,
  ) {
    super(options);
  }

  override async destroy(): Promise<void> {
    try {
      await super.destroy();
    } finally {
      await this.server?.stop();
    }
  }
}

/**
 * Connects and migrates the data source of an application. Without a URL it starts the embedded PostgreSQL, which ends
 * with the data source. Leaves nothing open when it fails.
 *
 * @throws DatabaseError as {@link connect} and `migrate`
 */
export async function openDataSource(given?: DataSourceOptions): Promise<DataSource> {
  const options = given as PostgresOptions;
  const server =
    options.url === undefined
      ? await openEmbeddedPostgres({ directory: EMBEDDED_DIRECTORY })
      : undefined;
  const url = options.url ?? server?.url ?? '';
  let dataSource: DataSource | undefined;
  try {
    dataSource = await connectWith(
      { ...options, url },
      (each) => new ApplicationDataSource(each, server),
    );
    await migrate(dataSource);
    return dataSource;
  } catch (error) {
    await (dataSource === undefined ? server?.stop() : dataSource.destroy());
    throw error;
  }
}
