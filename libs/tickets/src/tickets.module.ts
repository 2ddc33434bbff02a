import {
  Inject,
  Module,
  type DynamicModule,
  type FactoryProvider,
  type ModuleMetadata,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
  type Provider,
} from '@nestjs/common';
import { getDataSourceToken } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { Cleaner, DurableStatements, poolOf } from '@tessera/database';
import { loggerFor } from '@tessera/logging';
import { ServiceRegistry } from '@tessera/services';
import type { TicketLifetimes } from './lifetimes.js';
import { LogoutQueue } from './logout-queue.js';
import { PostgresTicketRegistry } from './postgres/postgres-ticket-registry.js';
import { ServiceTickets } from './service-tickets.js';
import { ticketEvents, type TicketObserver } from './ticket-events.js';
import { TicketGranting } from './ticket-granting.js';
import { SessionAdministration, TicketRegistry } from './ticket-registry.js';

export interface TicketsOptions {
  readonly lifetimes: TicketLifetimes;
  /** Ends the ids of this node's tickets. */
  readonly suffix: string;
  /** Milliseconds between removals of expired tickets. */
  readonly cleaningInterval: number;
  /** Whether services are told when a session ends. */
  readonly singleLogout: boolean;
  /** Called after sessions have ended: {@link LogoutQueue} may have new messages. */
  readonly onSessionsEnded?: (() => void) | undefined;
  /** Called for each ticket that is granted, validated or refused, and for each session that a caller ends. */
  readonly observe?: TicketObserver;
}

export type TicketsAsyncOptions = Pick<ModuleMetadata, 'imports'> &
  Pick<FactoryProvider<TicketsOptions>, 'inject' | 'useFactory'>;

const OPTIONS = Symbol('TicketsOptions');

const PROVIDERS: readonly Provider[] = [
  {
    provide: TicketRegistry,
    inject: [getDataSourceToken(), DurableStatements, OPTIONS],
    useFactory: (dataSource: DataSource, durable: DurableStatements, options: TicketsOptions) =>
      new PostgresTicketRegistry(poolOf(dataSource), { ...options, durable }),
  },
  {
    provide: SessionAdministration,
    inject: [TicketRegistry],
    useFactory: ({ sessions }: TicketRegistry) => sessions,
  },
  {
    provide: LogoutQueue,
    inject: [TicketRegistry],
    useFactory: ({ logoutQueue }: TicketRegistry) => logoutQueue,
  },
  {
    provide: TicketGranting,
    inject: [TicketRegistry, OPTIONS],
    useFactory: (registry: TicketRegistry, options: TicketsOptions) =>
      new TicketGranting(registry, observerOf(options)),
  },
  {
    provide: ServiceTickets,
    inject: [TicketRegistry, ServiceRegistry, OPTIONS],
    useFactory: (registry: TicketRegistry, services: ServiceRegistry, options: TicketsOptions) =>
      new ServiceTickets(registry, services, {
        singleLogout: options.singleLogout,
        observe: observerOf(options),
      }),
  },
];

@Module({})
export class TicketsModule implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly cleaner: Cleaner;

  /** @param options `imports` must provide {@link ServiceRegistry} and {@link DurableStatements} */
  static forRootAsync({ imports = [], ...factory }: TicketsAsyncOptions): DynamicModule {
    return {
      module: TicketsModule,
      imports,
      providers: [{ provide: OPTIONS, ...factory }, ...PROVIDERS],
      exports: [TicketRegistry, SessionAdministration, LogoutQueue, TicketGranting, ServiceTickets],
    };
  }

  constructor(registry: TicketRegistry, @Inject(OPTIONS) { cleaningInterval }: TicketsOptions) {
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

/** Publishes each event, besides telling the observer of the options. */
function observerOf({ observe }: TicketsOptions): TicketObserver {
  return (event) => {
    ticketEvents.publish(event);
    observe?.(event);
  };
}
