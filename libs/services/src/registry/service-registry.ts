// Matches URLs with registered services from memory, and keeps that memory in sync with the database.
import type { Announcements } from '@tessera/database';
import { loggerFor } from '@tessera/logging';
import { ServiceSnapshot } from '../matching/service-snapshot.js';
import {
  type BuiltInService,
  type NewService,
  type RegisteredClient,
  type RegisteredService,
  SERVICE_DEFAULTS,
} from '../registered-service.js';
import { serviceEvents } from './service-events.js';
import type { AddOptions, ServiceStore, StoredServices } from './service-store.js';

const log = loggerFor('services');

/** The channel that the table's trigger notifies. */
const CHANNEL = 'registered_service';

export interface ServiceRegistryOptions {
  /** The interval of polling the database, in milliseconds, besides notifications; default 5,000. */
  readonly pollInterval?: number;
  /** Notifications of changes; without them the registry only polls. */
  readonly announcements?: Pick<Announcements, 'listen'>;
  readonly builtIn?: BuiltInService | undefined;
}

/** No stored service has it. */
const BUILT_IN_ID = '0';

export class ServiceRegistry {
  private readonly pollInterval: number;
  private readonly builtIn: readonly RegisteredService[];
  private snapshot = ServiceSnapshot.empty;
  private clients: ReadonlyMap<string, RegisteredClient> = new Map();
  private stored: StoredServices | undefined;
  /** The violations of the last load, so that each is logged once. */
  private loggedViolations: ReadonlySet<string> = new Set();
  private refreshing: Promise<void> | undefined;
  private stale = false;
  private isStopped = false;
  private poll: NodeJS.Timeout | undefined;

  constructor(
    private readonly store: ServiceStore,
    { pollInterval = 5_000, announcements, builtIn }: ServiceRegistryOptions = {},
  ) {
    this.pollInterval = pollInterval;
    this.builtIn = builtIn
      ? [{ ...SERVICE_DEFAULTS, pseudonymSalt: '', ...builtIn, id: BUILT_IN_ID }]
      : [];
    announcements?.listen(CHANNEL, () => {
      if (!this.isStopped) void this.refresh();
    });
  }

  /**
   * Loads all services, and polls the database for changes until {@link stop}.
   *
   * @throws DatabaseError when they cannot be loaded
   */
  async start(): Promise<void> {
    await this.load();
    serviceEvents.publish({ type: 'current' });
    this.poll = setInterval(() => void this.refresh(), this.pollInterval);
    this.poll.unref();
  }

  /** Announcements that come later are ignored: the database may be closed by then. */
  async stop(): Promise<void> {
    this.isStopped = true;
    clearInterval(this.poll);
    await this.refreshing;
  }

  /**
   * The first service in evaluation order whose pattern matches the URL; undefined when none does. It may be disabled: the
   * caller checks `enabled`.
   */
  match(service: string): RegisteredService | undefined {
    return this.snapshot.match(service);
  }

  /** The first services that match the URL: as written, and as a URL parser reads it. */
  owners(url: string): readonly RegisteredService[] {
    return this.snapshot.owners(url);
  }

  /**
   * The client with this id, from memory. It may be disabled: the caller checks `isEnabled`. Undefined also for a client whose
   * stored part for OpenID Connect is invalid.
   */
  findByClientId(clientId: string): RegisteredClient | undefined {
    return this.clients.get(clientId);
  }

  /** The services as they would be matched with a draft, in place of the registered service with its id. */
  async snapshotWith(draft: RegisteredService | undefined): Promise<ServiceSnapshot> {
    if (draft === undefined) return this.snapshot;
    const others = (this.stored?.services ?? []).map(({ service }) => service);
    const services = [...this.builtIn, ...others.filter(({ id }) => id !== draft.id), draft];
    return ServiceSnapshot.of(services, this.snapshot);
  }

  /**
   * Adds a service. This node matches it when this returns, every other node within a second.
   *
   * @throws errors of {@link ServiceStore.add}; then nothing is stored
   */
  async add(service: NewService, options?: AddOptions): Promise<RegisteredService> {
    const added = await this.store.add(service, options);
    await this.refresh();
    return added;
  }

  /**
   * Loads the changes so far; concurrent callers share a run that begins after their call. Never fails: while the database is
   * unavailable, the services stay the same.
   */
  refresh(): Promise<void> {
    this.stale = true;
    this.refreshing ??= this.refreshWhileStale().finally(() => {
      this.refreshing = undefined;
    });
    return this.refreshing;
  }

  private async refreshWhileStale(): Promise<void> {
    while (this.stale) {
      this.stale = false;
      try {
        if ((await this.store.version()) !== this.stored?.version) await this.load();
        serviceEvents.publish({ type: 'current' });
      } catch (error) {
        serviceEvents.publish({ type: 'failed' });
        log.warn({ error }, 'cannot read the registered services: keeping those loaded before');
      }
    }
  }

  private async load(): Promise<void> {
    const stored = await this.store.readAll(this.stored?.services);
    const services = stored.services.map(({ service }) => service);
    this.snapshot = await ServiceSnapshot.of([...this.builtIn, ...services], this.snapshot);
    this.clients = clientsOf(services);
    this.stored = stored;
    const count = services.length - this.snapshot.unmatchable.length;
    serviceEvents.publish({ type: 'loaded', services: count });
    this.logViolations(stored);
    log.info({ services: count, version: stored.version }, 'loaded registered services');
  }

  private logViolations({ services }: StoredServices): void {
    const invalid = services.flatMap(({ service, violations }) =>
      violations.map(({ field, reason }) => ({ id: service.id, violation: `${field} ${reason}` })),
    );
    const unmatchable = this.snapshot.unmatchable.map(({ service, reason }) => ({
      id: service.id,
      violation: `serviceId ${reason}`,
    }));
    const found = new Map([...invalid, ...unmatchable].map((each) => [JSON.stringify(each), each]));
    for (const [key, fields] of found) {
      if (this.loggedViolations.has(key)) continue;
      log.error(fields, 'refusing a registered service with an invalid definition');
    }
    this.loggedViolations = new Set(found.keys());
  }
}

function clientsOf(services: readonly RegisteredService[]): ReadonlyMap<string, RegisteredClient> {
  return new Map(services.filter(isClient).map((service) => [service.clientId, service]));
}

function isClient(service: RegisteredService): service is RegisteredClient {
  return service.clientId !== null && service.client !== null;
}
