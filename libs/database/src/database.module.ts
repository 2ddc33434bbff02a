// The database of an application as a Nest module: TypeORM's data source, its login and the announcements between nodes.
import {
  Inject,
  Module,
  type DynamicModule,
  type FactoryProvider,
  type ModuleMetadata,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
  type OnModuleInit,
} from '@nestjs/common';
import { getDataSourceToken, TypeOrmModule } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { Announcements } from './announcements.js';
import { openDataSource } from './application-data-source.js';
import { poolOf, typeOrmOptions } from './connection.js';
import type { Renewal } from './login-circuit-breaker.js';
import { DatabaseLogin } from './login.js';
import { TABLES } from './migrations/index.js';

export interface DatabaseOptions {
  readonly url: string;
  /** Shown in `pg_stat_activity`. */
  readonly applicationName: string;
  readonly poolSize: number;
  /** One id for the processes of this node, in announcements. */
  readonly nodeId: string;
  /** Requests another login when PostgreSQL refuses this one. */
  readonly renewal: Renewal;
}

export type DatabaseAsyncOptions = Pick<ModuleMetadata, 'imports'> &
  Pick<FactoryProvider<DatabaseOptions>, 'inject' | 'useFactory'>;

const OPTIONS = Symbol('DatabaseOptions');

@Module({})
export class DatabaseModule implements OnModuleInit, OnApplicationBootstrap, OnModuleDestroy {
  /** Connects, migrates, and provides the data source, {@link DatabaseLogin} and {@link Announcements}. */
  static forRootAsync({
    imports = [],
    inject = [],
    useFactory,
  }: DatabaseAsyncOptions): DynamicModule {
    const typeOrm = TypeOrmModule.forRootAsync({
      imports,
      inject,
      useFactory: async (...dependencies: unknown[]) => ({
        ...typeOrmOptions(await useFactory(...dependencies)),
        autoLoadEntities: true,
        retryAttempts: 0,
      }),
      dataSourceFactory: openDataSource,
    });
    return {
      module: DatabaseModule,
      imports: [typeOrm, ...imports],
      providers: [
        { provide: OPTIONS, inject, useFactory },
        {
          provide: DatabaseLogin,
          inject: [getDataSourceToken(), OPTIONS],
          useFactory: (dataSource: DataSource, { renewal }: DatabaseOptions) =>
            new DatabaseLogin(
              poolOf(dataSource).options.connectionString ?? '',
              { right: 'own', tables: TABLES },
              renewal,
            ),
        },
        {
          provide: Announcements,
          inject: [getDataSourceToken(), OPTIONS],
          useFactory: (dataSource: DataSource, { nodeId }: DatabaseOptions) =>
            new Announcements(dataSource, nodeId),
        },
      ],
      exports: [DatabaseLogin, Announcements],
    };
  }

  constructor(
    @Inject(getDataSourceToken()) private readonly dataSource: DataSource,
    private readonly login: DatabaseLogin,
    private readonly announcements: Announcements,
  ) {}

  async onModuleInit(): Promise<void> {
    await this.login.attach(this.dataSource);
  }

  /** After every listener was added. */
  onApplicationBootstrap(): void {
    this.announcements.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.announcements.stop();
  }
}
