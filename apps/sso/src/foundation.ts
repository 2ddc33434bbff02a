// Owns what the application stands on, made before it takes requests and closed after the last one: the database, the
// registered services, the tickets and their cleaning.
import type { OnApplicationShutdown } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import { UserAccount } from '@tessera/accounts';
import { Cleaner, connect, migrate, openEmbeddedPostgres, poolOf } from '@tessera/database';
import { loggerFor } from '@tessera/logging';
import { RegisteredServiceEntity, ServiceRegistry, ServiceStore } from '@tessera/services';
import { PostgresTicketRegistry, type TicketRegistry } from '@tessera/tickets';
import { importServices } from './services-import.js';
import type { SsoSettings } from './settings.js';

const logger = loggerFor('sso');
const EMBEDDED_DIRECTORY = '.data/postgres';

type Closing = () => Promise<void>;

export class Foundation implements OnApplicationShutdown {
  private constructor(
    readonly dataSource: DataSource,
    readonly services: ServiceRegistry,
    readonly tickets: TicketRegistry,
    private readonly closings: readonly Closing[],
  ) {}

  /** Opens everything in order; where a step fails, what was opened is closed again. */
  static async open(settings: SsoSettings): Promise<Foundation> {
    const closings: Closing[] = [];
    try {
      const url = await databaseUrl(settings, closings);
      const entities = [UserAccount, RegisteredServiceEntity];
      const { poolSize, applicationName } = settings;
      const dataSource = await connect({ url, poolSize, applicationName, entities });
      closings.push(() => dataSource.destroy());
      await migrate(dataSource);
      const services = await openServices(settings, dataSource, closings);
      const tickets = openTickets(settings, dataSource, closings);
      return new Foundation(dataSource, services, tickets, closings);
    } catch (error) {
      await closeAll(closings);
      throw error;
    }
  }

  onApplicationShutdown(): Promise<void> {
    return closeAll(this.closings);
  }
}

async function databaseUrl(settings: SsoSettings, closings: Closing[]): Promise<string> {
  if (settings.databaseUrl !== undefined) return settings.databaseUrl.reveal();
  const embedded = await openEmbeddedPostgres({ directory: EMBEDDED_DIRECTORY });
  closings.push(() => embedded.stop());
  return embedded.url;
}

async function openServices(
  settings: SsoSettings,
  dataSource: DataSource,
  closings: Closing[],
): Promise<ServiceRegistry> {
  const store = new ServiceStore(dataSource);
  if (settings.servicesImport !== '') await importServices(store, settings.servicesImport);
  const services = new ServiceRegistry(store, { pollInterval: settings.servicesPollInterval });
  await services.start();
  closings.push(() => services.stop());
  return services;
}

function openTickets(
  settings: SsoSettings,
  dataSource: DataSource,
  closings: Closing[],
): TicketRegistry {
  const { lifetimes, ticketSuffix, cleaningInterval } = settings;
  const tickets = new PostgresTicketRegistry(poolOf(dataSource), {
    lifetimes,
    suffix: ticketSuffix,
  });
  const cleaner = new Cleaner({
    removeBatch: async () => (await tickets.clean()).sessions,
    interval: cleaningInterval,
    rows: 'tickets',
    log: loggerFor('tickets'),
  });
  cleaner.start();
  closings.push(() => cleaner.stop());
  return tickets;
}

/** The last opened is closed first; one that fails does not keep the others open. */
async function closeAll(closings: readonly Closing[]): Promise<void> {
  for (const close of closings.toReversed()) {
    await close().catch((error: unknown) => logger.warn({ error }, 'closing failed'));
  }
}
