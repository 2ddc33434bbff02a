// The backends that the settings name: opened at start, cached, probed once, and closed after the last request.
import {
  Inject,
  Injectable,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
  type OnModuleInit,
} from '@nestjs/common';
import { PROCESS_PARTS, type ProcessParts } from '@tessera/server';
import { loggerFor } from '@tessera/logging';
import { SharedDatabase } from '../database/shared-database.js';
import { configServerConfig } from '../settings/namespaces.js';
import { isBackendName, type ConfigServerSettings } from '../settings/config-server-settings.js';
import type { EnvironmentSettings } from '../settings/environment-settings.js';
import { BackendError } from './backend-error.js';
import type { EnvironmentBackend, EnvironmentQuery } from './environment-backend.js';
import { CachedBackend } from './cached-backend.js';
import { lastKnownOf } from './last-known.js';
import { closeAll } from './open-all.js';
import { openBackends } from './open-backends.js';

const log = loggerFor('config-server');

/** In bytes, of the cached answers of all backends. Callers choose the queries, so the cache is bounded. */
const CACHE_SIZE = 16 * 1024 * 1024;

/** The properties that all applications share, under the default label. */
const PROBE: EnvironmentQuery = {
  applications: ['application'],
  profiles: ['default'],
  label: undefined,
};

@Injectable()
export class Backends implements OnModuleInit, OnApplicationBootstrap, OnModuleDestroy {
  /** In the order of precedence, the first wins; empty before the initialisation. */
  readonly all: EnvironmentBackend[] = [];
  private readonly closing = new AbortController();

  constructor(
    @Inject(configServerConfig.KEY) private readonly settings: ConfigServerSettings,
    private readonly database: SharedDatabase,
    @Inject(PROCESS_PARTS) private readonly parts: Pick<ProcessParts, 'isFirst'>,
  ) {}

  async onModuleInit(): Promise<void> {
    const opened = await openBackends(this.settings, this.database, this.parts.isFirst);
    this.all.push(...cachedBackends(opened, this.settings.environment, this.settings));
  }

  /** Queries each backend once, without waiting, so that the log names a broken one before a client finds it. */
  onApplicationBootstrap(): void {
    for (const backend of this.all) void this.probe(backend);
  }

  /** Runs before the audit trail ends, which may wait for the database: an outage at shutdown is not logged. */
  async onModuleDestroy(): Promise<void> {
    this.closing.abort();
    await closeAll(this.all);
  }

  private async probe(backend: EnvironmentBackend): Promise<void> {
    try {
      await backend.find(PROBE);
    } catch (error) {
      // The cache logs an outage itself.
      const isLogged = error instanceof BackendError && error.isTemporary;
      if (isLogged || this.closing.signal.aborted) return;
      log.warn({ backend: backend.name, error }, 'a backend cannot return shared properties');
    }
  }
}

/** Each backend behind a cache. @param settings of the backends; equal ones share what the backend last answered */
export function cachedBackends(
  backends: readonly EnvironmentBackend[],
  { whenUnavailable }: EnvironmentSettings,
  settings?: ConfigServerSettings,
): readonly EnvironmentBackend[] {
  const capacity = Math.floor(CACHE_SIZE / Math.max(backends.length, 1));
  return backends.map((backend) => {
    const { name } = backend;
    // The group of a backend's settings has its name.
    const own = isBackendName(name) ? settings?.[name] : undefined;
    const isShared = own !== undefined && whenUnavailable === 'last-known-good';
    const lastKnown = isShared ? lastKnownOf([name, own], capacity) : undefined;
    return new CachedBackend(backend, { whenUnavailable, capacity, lastKnown });
  });
}
