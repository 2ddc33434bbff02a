// A cache in front of a backend: limits its queries, and can serve its last answers while it is unavailable.
import { LRUCache } from 'lru-cache';
import { SingleFlight } from '@tessera/runtime';
import type {
  BackendEnvironment,
  EnvironmentBackend,
  EnvironmentQuery,
  PlainFile,
  PlainFileQuery,
} from '../backends/environment-backend.js';
import { BackendError } from '../backends/backend-error.js';
import {
  backendOperations,
  environmentEvents,
  type BackendOperation,
  type EnvironmentEvent,
} from './environment-events.js';
import { OutageLog } from './outage-log.js';
import { LastKnownGood } from './last-known-good.js';
import { estimateSize } from './size-estimate.js';

/** The key of a refresh in the outage log. No key of a query is equal to it. */
const REFRESH = 'refresh';

export const MAX_AGE_MS = 500;

export interface CachedBackendOptions {
  /** While the backend is unavailable: fail, or serve its last answers. */
  readonly whenUnavailable: 'fail' | 'last-known-good';
  /** The maximum size of the cache in bytes, by estimate. The last known good answers may take as much again. */
  readonly capacity: number;
  /** A monotonic clock in milliseconds. */
  readonly clock?: () => number;
}

type ReadOutcome = Extract<EnvironmentEvent, { type: 'backend-read' }>['outcome'];

interface Answer {
  readonly environment: BackendEnvironment;
  readonly queriedAt: number;
}

/**
 * Serves an answer for 500 ms, and shares one query among concurrent callers. An answer with the same revision as the one before
 * is the same object.
 */
export class CachedBackend implements EnvironmentBackend {
  readonly name: string;
  readonly readFile?: (query: PlainFileQuery) => Promise<PlainFile | undefined>;
  readonly refresh?: () => Promise<void>;
  private readonly answers: LRUCache<string, Answer>;
  /** Undefined when queries fail while the backend is unavailable. */
  private readonly lastKnownGood: LastKnownGood | undefined;
  private readonly queries = new SingleFlight<BackendEnvironment>();
  private readonly clock: () => number;
  private refreshedAt = Number.NEGATIVE_INFINITY;
  private readonly outages: OutageLog;
  private isClosed = false;

  constructor(
    private readonly backend: EnvironmentBackend,
    options: CachedBackendOptions,
  ) {
    this.name = backend.name;
    this.clock = options.clock ?? (() => performance.now());
    const serving = options.whenUnavailable === 'fail' ? 'nothing' : 'its last answers';
    this.outages = new OutageLog(backend.name, serving);
    this.answers = new LRUCache({ maxSize: options.capacity });
    if (options.whenUnavailable === 'last-known-good') {
      this.lastKnownGood = new LastKnownGood(options.capacity);
    }
    const readFile = backend.readFile?.bind(backend);
    if (readFile) this.readFile = (query) => this.observed('read-file', () => readFile(query));
    if (backend.refresh) this.refresh = () => this.observed('refresh', () => this.refreshNow());
  }

  find(query: EnvironmentQuery): Promise<BackendEnvironment> {
    const known = this.known(query);
    if (known) return Promise.resolve(known);
    const key = keyOf(query);
    return this.observed('find', () => this.queries.run(key, () => this.query(key, query)));
  }

  known(query: EnvironmentQuery): BackendEnvironment | undefined {
    const answer = this.answers.get(keyOf(query));
    return answer && this.isFresh(answer) ? answer.environment : undefined;
  }

  async close(): Promise<void> {
    this.isClosed = true;
    await this.backend.close?.();
  }

  private observed<T>(
    operation: BackendOperation['operation'],
    work: () => Promise<T>,
  ): Promise<T> {
    return backendOperations.run({ backend: this.name, operation }, work);
  }

  private isFresh({ queriedAt }: Answer): boolean {
    return queriedAt > this.refreshedAt && this.clock() - queriedAt < MAX_AGE_MS;
  }

  /** Makes all earlier answers stale. */
  private async refreshNow(): Promise<void> {
    try {
      await this.backend.refresh?.();
    } catch (error) {
      // A backend that serves its last known state logs its outage itself.
      if (this.lastKnownGood === undefined) this.noteUnavailable(REFRESH, error);
      throw error;
    }
    this.outages.noteAnswered(REFRESH);
    this.refreshedAt = this.clock();
    this.queries.forget();
  }

  private async query(key: string, query: EnvironmentQuery): Promise<BackendEnvironment> {
    const queriedAt = this.clock();
    const environment = await this.findOrFallBack(key, query);
    const size = key.length + estimateSize(environment.sources);
    this.answers.set(key, { environment, queriedAt }, { size });
    return environment;
  }

  private async findOrFallBack(key: string, query: EnvironmentQuery): Promise<BackendEnvironment> {
    const startedAt = performance.now();
    try {
      const found = await this.backend.find(query);
      this.publish('success', startedAt);
      this.outages.noteAnswered(key);
      // While a refresh fails, the log counts the backend as unavailable.
      this.outages.noteAnswered(REFRESH);
      const known = this.answers.get(key)?.environment ?? this.lastKnownGood?.get(key);
      const environment = known && isSame(known, found) ? known : found;
      this.lastKnownGood?.set(key, environment);
      return environment;
    } catch (error) {
      const isOutage = this.noteUnavailable(key, error);
      this.publish(isOutage ? 'unavailable' : 'failed', startedAt);
      if (!isOutage) throw error;
      const known = this.lastKnownGood?.get(key);
      if (known) return known;
      throw error;
    }
  }

  private publish(outcome: ReadOutcome, startedAt: number): void {
    const milliseconds = performance.now() - startedAt;
    environmentEvents.publish({ type: 'backend-read', backend: this.name, outcome, milliseconds });
  }

  /** Returns false for an error that is no outage. */
  private noteUnavailable(key: string, error: unknown): boolean {
    if (!(error instanceof BackendError) || !error.isTemporary) return false;
    if (!this.isClosed) this.outages.noteUnavailable(key, error);
    return true;
  }
}

function isSame(known: BackendEnvironment, found: BackendEnvironment): boolean {
  return (
    known.revision === found.revision &&
    known.version === found.version &&
    known.state === found.state
  );
}

/** Names have no line breaks. */
function keyOf({ applications, profiles, label }: EnvironmentQuery): string {
  return `${applications.join(',')}\n${profiles.join(',')}\n${label ?? ''}`;
}
