// A cache in front of a backend: limits its queries, and can serve its last answers while it is unavailable.
import { LRUCache } from 'lru-cache';
import { SingleFlight } from '@tessera/runtime';
import { BackendError } from './backend-error.js';
import { backendOperations, backendReads, type BackendOperation } from './backend-events.js';
import type {
  BackendEnvironment,
  EnvironmentBackend,
  EnvironmentQuery,
  PlainFile,
  PlainFileQuery,
  PropertySource,
} from './environment-backend.js';
import { OutageLog } from './outage-log.js';

/** The key of a refresh in the outage log. No key of a query is equal to it. */
const REFRESH = 'refresh';

export const MAX_AGE_MS = 500;

/** In bytes, without the characters of key and value: the property, its origin, its map entry and its strings. */
const PROPERTY_OVERHEAD = 200;
const SOURCE_OVERHEAD = 400;

export interface CachedBackendOptions {
  /** While the backend is unavailable: fail, or serve its last answers. */
  readonly whenUnavailable: 'fail' | 'last-known-good';
  /** The maximum size of the cache in bytes, by estimate. */
  readonly capacity: number;
  /** Answers of another cache in front of the same backend. Default: none. */
  readonly lastKnown?: Answers | undefined;
  /** A monotonic clock in milliseconds. */
  readonly clock?: () => number;
}

interface Answer {
  readonly environment: BackendEnvironment;
  readonly queriedAt: number;
}

/** The last answers of a backend. */
export type Answers = LRUCache<string, Answer>;

/** @param capacity the maximum size in bytes, by estimate */
export function newAnswers(capacity: number): Answers {
  return new LRUCache({
    maxSize: capacity,
    sizeCalculation: ({ environment }, key) => key.length + estimateSize(environment.sources),
  });
}

/** Serves an answer for 500 ms, and shares one query among concurrent callers. */
export class CachedBackend implements EnvironmentBackend {
  readonly name: string;
  readonly readFile?: (query: PlainFileQuery) => Promise<PlainFile | undefined>;
  readonly refresh?: () => Promise<void>;
  /** Old answers too: the last known ones. */
  private readonly answers: Answers;
  private readonly servesLastKnown: boolean;
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
    this.servesLastKnown = options.whenUnavailable === 'last-known-good';
    this.outages = new OutageLog(
      backend.name,
      this.servesLastKnown ? 'its last answers' : 'nothing',
    );
    this.answers = options.lastKnown ?? newAnswers(options.capacity);
    // Answers of another cache are known, but not fresh.
    if (options.lastKnown !== undefined) this.refreshedAt = this.clock();
    const readFile = backend.readFile?.bind(backend);
    if (readFile) this.readFile = (query) => this.observed('read-file', () => readFile(query));
    if (backend.refresh) this.refresh = () => this.observed('refresh', () => this.refreshNow());
  }

  async find(query: EnvironmentQuery): Promise<BackendEnvironment> {
    const key = keyOf(query);
    const known = this.answers.get(key);
    if (known && this.isFresh(known)) return known.environment;
    return this.observed('find', () => this.queries.run(key, () => this.query(key, query)));
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
      if (!this.servesLastKnown) this.noteUnavailable(REFRESH, error);
      throw error;
    }
    this.outages.noteAnswered(REFRESH);
    this.refreshedAt = this.clock();
    this.queries.forget();
  }

  private async query(key: string, query: EnvironmentQuery): Promise<BackendEnvironment> {
    const queriedAt = this.clock();
    const startedAt = performance.now();
    const publish = (outcome: 'success' | 'unavailable' | 'failed'): void => {
      const milliseconds = performance.now() - startedAt;
      backendReads.publish({ backend: this.name, outcome, milliseconds });
    };
    try {
      const environment = await this.backend.find(query);
      publish('success');
      this.outages.noteAnswered(key);
      // While a refresh fails, the log counts the backend as unavailable.
      this.outages.noteAnswered(REFRESH);
      this.answers.set(key, { environment, queriedAt });
      return environment;
    } catch (error) {
      const isOutage = this.noteUnavailable(key, error);
      publish(isOutage ? 'unavailable' : 'failed');
      const known = isOutage && this.servesLastKnown ? this.answers.get(key) : undefined;
      if (known === undefined) throw error;
      this.answers.set(key, { ...known, queriedAt });
      return known.environment;
    }
  }

  /** Returns false for an error that is no outage. */
  private noteUnavailable(key: string, error: unknown): boolean {
    if (!(error instanceof BackendError) || !error.isTemporary) return false;
    if (!this.isClosed) this.outages.noteUnavailable(key, error);
    return true;
  }
}

/** Names have no line breaks. */
function keyOf({ applications, profiles, label }: EnvironmentQuery): string {
  return `${applications.join(',')}\n${profiles.join(',')}\n${label ?? ''}`;
}

/** In bytes. */
function estimateSize(sources: readonly PropertySource[]): number {
  let size = SOURCE_OVERHEAD;
  for (const { name, properties } of sources) {
    size += SOURCE_OVERHEAD + name.length;
    for (const [key, { value }] of properties) {
      size += PROPERTY_OVERHEAD + key.length + (typeof value === 'string' ? value.length : 0);
    }
  }
  return size;
}
