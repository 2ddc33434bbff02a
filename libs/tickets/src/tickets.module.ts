import {
  Inject,
  Module,
  type DynamicModule,
  type FactoryProvider,
  type ModuleMetadata,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import { getDataSourceToken } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { Cleaner, poolOf } from '@tessera/database';
import { loggerFor } from '@tessera/logging';
import { ServiceRegistry } from '@tessera/services';
import type { TicketLifetimes } from './lifetimes.js';
import { PostgresTicketRegistry } from './postgres/postgres-ticket-registry.js';
import { PublishedServiceTickets, PublishedTicketGranting } from './published-tickets.js';
import { ServiceTickets } from './service-tickets.js';
import { TicketGranting } from './ticket-granting.js';
import type { TicketRegistry } from './ticket-registry.js';

/** Injection token of the {@link TicketRegistry}. */
export const TICKET_REGISTRY = Symbol('TicketRegistry');

export interface TicketsOptions {
  /** The current lifetimes; read for each ticket. */
  readonly lifetimes: () => TicketLifetimes;
  /** Ends the ids of this node's tickets. */
  readonly suffix: string;
  /** Milliseconds between removals of expired tickets. */
  readonly cleaningInterval: number;
  /** Whether services are told when a session ends. */
  readonly singleLogout: boolean;
}

export type TicketsAsyncOptions = Pick<ModuleMetadata, 'imports'> &
  Pick<FactoryProvider<TicketsOptions>, 'inject' | 'useFactory'>;

const OPTIONS = Symbol('TicketsOptions');

@Module({})
export class TicketsModule implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly cleaner: Cleaner;

  /** @param options `imports` must provide {@link ServiceRegistry} */
  static forRootAsync({ imports = [], ...factory }: TicketsAsyncOptions): DynamicModule {
    return {
      module: TicketsModule,
      imports,
      providers: [
        { provide: OPTIONS, ...factory },
        {
          provide: TICKET_REGISTRY,
          inject: [getDataSourceToken(), OPTIONS],
          useFactory: (dataSource: DataSource, { lifetimes, suffix }: TicketsOptions) =>
            new PostgresTicketRegistry(poolOf(dataSource), { lifetimes, suffix }),
        },
        {
          provide: TicketGranting,
          inject: [TICKET_REGISTRY],
          useFactory: (registry: TicketRegistry) => new PublishedTicketGranting(registry),
        },
        {
          provide: ServiceTickets,
          inject: [TICKET_REGISTRY, ServiceRegistry, OPTIONS],
          useFactory: (
            registry: TicketRegistry,
            services: ServiceRegistry,
            { singleLogout }: TicketsOptions,
          ) => new PublishedServiceTickets(registry, services, { singleLogout }),
        },
      ],
      exports: [TICKET_REGISTRY, TicketGranting, ServiceTickets],
    };
  }

  constructor(
    @Inject(TICKET_REGISTRY) registry: TicketRegistry,
    @Inject(OPTIONS) { cleaningInterval }: TicketsOptions,
  ) {
    this.cleaner = new Cleaner({
      removeBatch: async () => (await registry.clean()).sessions,
      interval: cleaningInterval,
      rows: 'tickets',
      log: loggerFor('tickets'),
    });
  }

  onApplicationBootstrap(): void {
    this.cleaner.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.cleaner.stop();
  }
}
