// The database of an application as a Nest module: TypeORM's data source, and the announcements between nodes.
import {
  Inject,
  Module,
  type DynamicModule,
  type FactoryProvider,
  type ModuleMetadata,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
  type OnModuleDestroy,
  type OnModuleInit,
} from '@nestjs/common';
import { getDataSourceToken, TypeOrmModule } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { Announcements } from './announcements.js';
import { openDataSource } from './application-data-source.js';
import { typeOrmOptions } from './connection.js';
import { watchCredentials } from './credentials-watch.js';
import { DurableStatements } from './durable-statements.js';

export interface DatabaseOptions {
  readonly url: string;
  /** Shown in `pg_stat_activity`. */
  readonly applicationName: string;
  readonly poolSize: number;
  /** One id for the processes of this node, in announcements. */
  readonly nodeId: string;
  /** Requests other settings when PostgreSQL refuses the credentials. */
  readonly onCredentialsRefused: () => Promise<unknown>;
  /** Whether it is the first application of its process, which migrates. */
  readonly isFirst: boolean;
}

export type DatabaseAsyncOptions = Pick<ModuleMetadata, 'imports'> &
  Pick<FactoryProvider<DatabaseOptions>, 'inject' | 'useFactory'>;

const OPTIONS = Symbol('DatabaseOptions');

@Module({})
export class DatabaseModule
  implements OnModuleInit, OnApplicationBootstrap, OnModuleDestroy, OnApplicationShutdown
{
  /** Connects, migrates, and provides the data source, {@link DurableStatements} and {@link Announcements}. */
  static forRootAsync({
    imports = [],
    inject = [],
    useFactory,
  }: DatabaseAsyncOptions): DynamicModule {
    const typeOrm = TypeOrmModule.forRootAsync({
      imports,
      inject,
      useFactory: async (...dependencies: unknown[]) => {
        const options = await useFactory(...dependencies);
        return {
          ...typeOrmOptions({ ...options, servesRequests: true }),
          isFirst: options.isFirst,
          autoLoadEntities: true,
          retryAttempts: 0,
        };
      },
      dataSourceFactory: openDataSource,
    });
    return {
      module: DatabaseModule,
      imports: [typeOrm, ...imports],
      providers: [
        { provide: OPTIONS, inject, useFactory },
        {
          provide: DurableStatements,
          inject: [getDataSourceToken()],
          useFactory: (dataSource: DataSource) => new DurableStatements(dataSource),
        },
        {
          provide: Announcements,
          inject: [getDataSourceToken(), OPTIONS],
          useFactory: (dataSource: DataSource, { nodeId }: DatabaseOptions) =>
            new Announcements(dataSource, nodeId),
        },
      ],
      exports: [Announcements, DurableStatements],
    };
  }

  constructor(
    @Inject(getDataSourceToken()) private readonly dataSource: DataSource,
    @Inject(OPTIONS) private readonly options: DatabaseOptions,
    private readonly announcements: Announcements,
    private readonly durable: DurableStatements,
  ) {}

  onModuleInit(): void {
    watchCredentials(this.dataSource, this.options.onCredentialsRefused);
  }

  /** After every listener was added. */
  onApplicationBootstrap(): void {
    this.announcements.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.announcements.stop();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.durable.close();
  }
}
