import {
  Inject,
  Module,
  type BeforeApplicationShutdown,
  type DynamicModule,
  type FactoryProvider,
  type ModuleMetadata,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
  type OnModuleInit,
} from '@nestjs/common';
import { getDataSourceToken, TypeOrmModule } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { Cleaner, poolOf } from '@tessera/database';
import { loggerFor } from '@tessera/logging';
import { AuditEventEntity } from './audit-event.entity.js';
import { AuditStore } from './audit-store.js';
import { type AuditOptions, AuditTrail } from './audit-trail.js';
import { AuditWriter } from './audit-writer.js';

const HOUR_MS = 3_600_000;
/** Partitions exist this long before their month begins. */
const AHEAD_MS = 14 * 24 * HOUR_MS;

const OPTIONS = Symbol('AuditOptions');

@Module({})
export class AuditModule
  implements OnModuleInit, OnApplicationBootstrap, OnModuleDestroy, BeforeApplicationShutdown
{
  private readonly cleaner: Cleaner;

  static forRootAsync({
    imports = [],
    ...factory
  }: Pick<ModuleMetadata, 'imports'> &
    Pick<FactoryProvider<AuditOptions>, 'inject' | 'useFactory'>): DynamicModule {
    return {
      module: AuditModule,
      imports: [...imports, TypeOrmModule.forFeature([AuditEventEntity])],
      providers: [
        {
          provide: AuditTrail,
          inject: [AuditWriter, OPTIONS],
          useFactory: (writer: AuditWriter, options: AuditOptions) =>
            new AuditTrail(writer, options),
        },
        {
          provide: AuditWriter,
          inject: [AuditStore],
          useFactory: (store: AuditStore) => new AuditWriter(store),
        },
        {
          provide: AuditStore,
          inject: [getDataSourceToken()],
          useFactory: (dataSource: DataSource) => new AuditStore(poolOf(dataSource)),
        },
        { provide: OPTIONS, ...factory },
      ],
      exports: [AuditTrail, AuditWriter],
    };
  }

  constructor(
    private readonly store: AuditStore,
    private readonly writer: AuditWriter,
    @Inject(OPTIONS) private readonly options: AuditOptions,
  ) {
    this.cleaner = new Cleaner({
      removeBatch: () => this.maintain(),
      interval: HOUR_MS,
      rows: 'audit partitions',
      log: loggerFor('audit'),
    });
  }

  /** The migrations made partitions of the months when they ran. */
  async onModuleInit(): Promise<void> {
    await this.ensurePartitions();
  }

  onApplicationBootstrap(): void {
    this.cleaner.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.cleaner.stop();
  }

  /** When nothing more happens, and before the database closes. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.writer.stop();
  }

  /** @returns the number of partitions that were dropped */
  private async maintain(): Promise<number> {
    await this.ensurePartitions();
    return this.store.dropExpired(this.options.retention);
  }

  private async ensurePartitions(): Promise<void> {
    const now = Date.now();
    await this.store.ensurePartitions([new Date(now), new Date(now + AHEAD_MS)]);
  }
}
