// Answers which registered service a URL belongs to, from memory, and keeps that memory in step with
// the database. What may be done with the service is for the caller to ask.
import type { Announcements } from '@tessera/database';
import { loggerFor } from '@tessera/logging';
import { ServiceSnapshot } from '../matching/service-snapshot.js';
import type { NewService, RegisteredService } from '../registered-service.js';
import type { Alongside, ServiceStore, StoredServices } from './service-store.js';

const log = loggerFor('services');

/** What the table's triggers announce on. */
const CHANNEL = 'registered_service';

export interface ServiceRegistryOptions {
  /** How often to compare with the database, in milliseconds, besides being told; 5,000 unless told. */
  readonly pollInterval?: number;
  /** Where changes are announced; without them the registry compares alone. */
  readonly announcements?: Pick<Announcements, 'listen'>;
}

export class ServiceRegistry {
  private readonly pollInterval: number;
  private snapshot = ServiceSnapshot.empty;
  private stored: StoredServices | undefined;
  /** What was wrong at the last load; each fault is logged once. */
  private reported: ReadonlySet<string> = new Set();
  private refreshing: Promise<void> | undefined;
  private stale = false;
  private poll: NodeJS.Timeout | undefined;

  constructor(
    private readonly store: ServiceStore,
    { pollInterval = 5_000, announcements }: ServiceRegistryOptions = {},
  ) {
    this.pollInterval = pollInterval;
    announcements?.listen(CHANNEL, () => void this.refresh());
  }

  /**
   * Loads all services, and compares them with the database until {@link stop}.
   *
   * @throws DatabaseError when they cannot be loaded
   */
  async start(): Promise<void> {
    await this.load();
    this.poll = setInterval(() => void this.refresh(), this.pollInterval);
    this.poll.unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.poll);
    await this.refreshing;
  }

  /**
   * The first service, in evaluation order, whose pattern matches the URL. It decides even when it
   * is disabled, so look at `enabled`. Undefined when none matches: refuse.
   */
  match(service: string): RegisteredService | undefined {
    return this.snapshot.match(service);
  }

  /**
   * Adds a service, which is matched here when this returns, and within a second by every other node.
   *
   * @throws as {@link ServiceStore.add}; then nothing is kept
   */
  async add(service: NewService, alongside?: Alongside): Promise<RegisteredService> {
    const added = await this.store.add(service, alongside);
    await this.refresh();
    return added;
  }

  /**
   * Takes over what has changed by now. Never fails: while the database is away, the services stay
   * what they were.
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
      } catch (error) {
        log.warn(
          { error },
          'cannot read the registered services: those known before stay in force',
        );
      }
    }
  }

  private async load(): Promise<void> {
    const stored = await this.store.readAll(this.stored?.services);
    const services = stored.services.map(({ service }) => service);
    this.snapshot = await ServiceSnapshot.of(services, this.snapshot);
    this.stored = stored;
    this.report(stored);
    log.info(
      { services: this.snapshot.size, version: stored.version },
      'loaded registered services',
    );
  }

  private report({ services }: StoredServices): void {
    const faulty = services.flatMap(({ service, faults }) =>
      faults.map(({ field, reason }) => ({ id: service.id, fault: `${field} ${reason}` })),
    );
    const unmatchable = this.snapshot.unmatchable.map(({ service, reason }) => ({
      id: service.id,
      fault: `serviceId ${reason}`,
    }));
    const found = new Map([...faulty, ...unmatchable].map((each) => [JSON.stringify(each), each]));
    for (const [key, fields] of found) {
      if (!this.reported.has(key)) log.error(fields, 'refusing a registered service: a fault');
    }
    this.reported = new Set(found.keys());
  }
}
