// Owns how often a backend is asked, and what is said while it is away. What it holds is its own affair.
import { LRUCache } from 'lru-cache';
import { loggerFor } from '@tessera/logging';
import type {
  BackendEnvironment,
  EnvironmentBackend,
  EnvironmentQuery,
  PlainFile,
  PlainFileQuery,
} from '../backends/environment-backend.js';
import { BackendError } from '../backends/backend-error.js';
import { LastKnownGood } from './last-known-good.js';
import { weightOf } from './weight.js';

const logger = loggerFor('environment');

/** How old an answer may be, in milliseconds. */
export const FRESH_FOR = 500;

export interface CachedBackendOptions {
  /** What is said while the backend is away: that it is, or what it said last. */
  readonly whenUnavailable: 'fail' | 'last-known-good';
  /** The most bytes of answers to keep, by estimate; as many again of those last known to be good. */
  readonly capacity: number;
  /** In milliseconds, from any beginning. */
  readonly clock?: () => number;
}

interface Answer {
  readonly environment: BackendEnvironment;
  readonly askedAt: number;
}

/**
 * Asks a backend for others: what it said within the last 500 ms is said again, and who asks while a question is under way
 * shares its answer. An answer with the revision of the one before is the same object.
 */
export class CachedBackend implements EnvironmentBackend {
  readonly name: string;
  readonly readFile?: (query: PlainFileQuery) => Promise<PlainFile | undefined>;
  readonly refresh?: () => Promise<void>;
  private readonly answers: LRUCache<string, Answer>;
  /** Undefined where nothing is said while the backend is away. */
  private readonly lastKnownGood: LastKnownGood | undefined;
  private readonly questions = new Map<string, Promise<BackendEnvironment>>();
  private readonly clock: () => number;
  private refreshedAt = Number.NEGATIVE_INFINITY;
  /** Why the backend is away; undefined while it is not. */
  private awayFor: string | undefined;
  private isClosed = false;

  constructor(
    private readonly backend: EnvironmentBackend,
    private readonly options: CachedBackendOptions,
  ) {
    this.name = backend.name;
    this.clock = options.clock ?? (() => performance.now());
    this.answers = new LRUCache({ maxSize: options.capacity });
    if (options.whenUnavailable === 'last-known-good') {
      this.lastKnownGood = new LastKnownGood(options.capacity);
    }
    if (backend.readFile) this.readFile = backend.readFile.bind(backend);
    if (backend.refresh) this.refresh = () => this.refreshNow();
  }

  find(query: EnvironmentQuery): Promise<BackendEnvironment> {
    const key = keyOf(query);
    const known = this.answers.get(key);
    if (known && this.isFresh(known)) return Promise.resolve(known.environment);
    return this.questions.get(key) ?? this.ask(key, query);
  }

  async close(): Promise<void> {
    this.isClosed = true;
    await this.backend.close?.();
  }

  private isFresh({ askedAt }: Answer): boolean {
    return askedAt > this.refreshedAt && this.clock() - askedAt < FRESH_FOR;
  }

  /** What was asked before is not believed any more. */
  private async refreshNow(): Promise<void> {
    await this.backend.refresh?.();
    this.refreshedAt = this.clock();
    this.questions.clear();
  }

  private ask(key: string, query: EnvironmentQuery): Promise<BackendEnvironment> {
    const question = this.answer(key, query).finally(() => {
      if (this.questions.get(key) === question) this.questions.delete(key);
    });
    this.questions.set(key, question);
    return question;
  }

  private async answer(key: string, query: EnvironmentQuery): Promise<BackendEnvironment> {
    const askedAt = this.clock();
    const environment = await this.findOrFallBack(key, query);
    const size = key.length + weightOf(environment.sources);
    this.answers.set(key, { environment, askedAt }, { size });
    return environment;
  }

  private async findOrFallBack(key: string, query: EnvironmentQuery): Promise<BackendEnvironment> {
    try {
      const found = await this.backend.find(query);
      this.noteBack();
      const known = this.answers.get(key)?.environment ?? this.lastKnownGood?.get(key);
      const environment = known && isSame(known, found) ? known : found;
      this.lastKnownGood?.set(key, environment);
      return environment;
    } catch (error) {
      if (!(error instanceof BackendError) || !error.isTemporary) throw error;
      this.noteAway(error);
      const known = this.lastKnownGood?.get(key);
      if (known) return known;
      throw error;
    }
  }

  /** Once for each reason: who was not there before may refuse us now. */
  private noteAway(error: BackendError): void {
    const reason = codeOf(error.cause);
    if (this.awayFor === reason || this.isClosed) return;
    this.awayFor = reason;
    const serving = this.options.whenUnavailable === 'fail' ? 'nothing' : 'what it last said';
    logger.warn({ backend: this.name, serving, error }, 'a backend is away');
  }

  private noteBack(): void {
    if (this.awayFor === undefined) return;
    this.awayFor = undefined;
    logger.info({ backend: this.name }, 'a backend is back');
  }
}

/** The code of an error, or of the nearest of its causes that has one; empty where none has. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return '';
  const { code, cause } = error as NodeJS.ErrnoException;
  return code ?? codeOf(cause);
}

function isSame(known: BackendEnvironment, found: BackendEnvironment): boolean {
  return (
    known.revision === found.revision &&
    known.version === found.version &&
    known.state === found.state
  );
}

/** No name holds a line break. */
function keyOf({ applications, profiles, label }: EnvironmentQuery): string {
  return `${applications.join(',')}\n${profiles.join(',')}\n${label ?? ''}`;
}
