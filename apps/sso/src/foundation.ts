// Opens and closes the foundation of the application: database, registered services, tickets with their cleaner, and
// announcements between nodes.
import type { OnApplicationShutdown } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import { UserAccount } from '@tessera/accounts';
import {
  Announcements,
  Cleaner,
  connect,
  DatabaseLogin,
  type LoginChange,
  migrate,
  openEmbeddedPostgres,
  poolOf,
  TABLES,
} from '@tessera/database';
import { loggerFor } from '@tessera/logging';
import { LOGIN_REFUSED, type Reload } from '@tessera/reload';
import { RegisteredServiceEntity, ServiceRegistry, ServiceStore } from '@tessera/services';
import { type LiveSettings, SettingsError } from '@tessera/settings';
import {
  PostgresTicketRegistry,
  type TicketLifetimes,
  type TicketRegistry,
} from '@tessera/tickets';
import { nodeId } from './node-id.js';
import { reloadOnAnnouncement } from './cross-node-reload.js';
import { importServices } from './services-import.js';
import type { SsoSettings } from './settings.js';

const logger = loggerFor('sso');
const EMBEDDED_DIRECTORY = '.data/postgres';

type Closing = () => Promise<void>;

export interface FoundationParts {
  readonly dataSource: DataSource;
  readonly announcements: Announcements;
  readonly services: ServiceRegistry;
  readonly tickets: TicketRegistry;
}

export class Foundation implements OnApplicationShutdown {
  private constructor(
    readonly parts: FoundationParts,
    private readonly closings: readonly Closing[],
  ) {}

  /** Opens the parts in order. If a step fails, the opened parts are closed again. */
  static async open(live: LiveSettings<SsoSettings>, reload: Reload): Promise<Foundation> {
    const closings: Closing[] = [];
    try {
      const dataSource = await openDatabase(live, reload, closings);
      const announcements = new Announcements(dataSource, nodeId());
      reloadOnAnnouncement(announcements, reload);
      const services = await openServices(live.current, { dataSource, announcements }, closings);
      announcements.start();
      closings.push(() => announcements.stop());
      const tickets = openTickets(live, dataSource, closings);
      return new Foundation({ dataSource, announcements, services, tickets }, closings);
    } catch (error) {
      await closeAll(closings);
      throw error;
    }
  }

  onApplicationShutdown(): Promise<void> {
    return closeAll(this.closings);
  }
}

async function openDatabase(
  live: LiveSettings<SsoSettings>,
  reload: Reload,
  closings: Closing[],
): Promise<DataSource> {
  const { poolSize, applicationName } = live.current;
  const url = await databaseUrl(live.current, closings);
  const needs = { right: 'own', tables: TABLES } as const;
  const login = new DatabaseLogin(url, needs, () => reload(LOGIN_REFUSED));
  const entities = [UserAccount, RegisteredServiceEntity];
  const dataSource = await connect({ url, poolSize, applicationName, entities });
  closings.push(() => dataSource.destroy());
  await migrate(dataSource);
  await login.attach(dataSource);
  live.follow({ files: [], prepare: (settings) => prepareLogin(login, settings) });
  return dataSource;
}

async function prepareLogin(
  login: DatabaseLogin,
  settings: SsoSettings,
): Promise<LoginChange | undefined> {
  const change = await login.prepare(settings.databaseUrl?.reveal());
  if (change === undefined || !('violation' in change)) return change;
  throw new SettingsError(settings.applicationName, [
    { key: 'database.url', message: change.violation },
  ]);
}

async function databaseUrl(settings: SsoSettings, closings: Closing[]): Promise<string> {
  if (settings.databaseUrl !== undefined) return settings.databaseUrl.reveal();
  const embedded = await openEmbeddedPostgres({ directory: EMBEDDED_DIRECTORY });
  closings.push(() => embedded.stop());
  return embedded.url;
}

async function openServices(
  settings: SsoSettings,
  { dataSource, announcements }: Pick<FoundationParts, 'dataSource' | 'announcements'>,
  closings: Closing[],
): Promise<ServiceRegistry> {
  const store = new ServiceStore(dataSource);
  const { servicesImport, skipUnreadable, servicesPollInterval: pollInterval } = settings;
  if (servicesImport !== '') await importServices(store, servicesImport, { skipUnreadable });
  const services = new ServiceRegistry(store, { pollInterval, announcements });
  await services.start();
  closings.push(() => services.stop());
  return services;
}

function openTickets(
  live: LiveSettings<SsoSettings>,
  dataSource: DataSource,
  closings: Closing[],
): TicketRegistry {
  const { suffix, cleaningInterval } = live.current.tickets;
  const lifetimes = (): TicketLifetimes => live.current.tickets.lifetimes;
  const tickets = new PostgresTicketRegistry(poolOf(dataSource), { lifetimes, suffix });
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

/** Closes in reverse order; an error is logged and the remaining parts are closed. */
async function closeAll(closings: readonly Closing[]): Promise<void> {
  for (const close of closings.toReversed()) {
    await close().catch((error: unknown) => logger.warn({ error }, 'closing failed'));
  }
}
