// Owns how often a backend is asked, and what is said while it is away. What it holds is its own affair.
import { LRUCache } from 'lru-cache';
import type {
  BackendEnvironment,
  EnvironmentBackend,
  EnvironmentQuery,
  PlainFile,
  PlainFileQuery,
} from '../backends/environment-backend.js';
import { BackendError } from '../backends/backend-error.js';
import { OutageLog } from './outage-log.js';
import { LastKnownGood } from './last-known-good.js';
import { estimateSize } from './size-estimate.js';

/** What a refresh is among the questions left without an answer; no key of theirs is so. */
const REFRESH = 'refresh';

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
  private readonly availability: OutageLog;
  private isClosed = false;

  constructor(
    private readonly backend: EnvironmentBackend,
    options: CachedBackendOptions,
  ) {
    this.name = backend.name;
    this.clock = options.clock ?? (() => performance.now());
    const serving = options.whenUnavailable === 'fail' ? 'nothing' : 'what it last said';
    this.availability = new OutageLog(backend.name, serving);
    this.answers = new LRUCache({ maxSize: options.capacity });
    if (options.whenUnavailable === 'last-known-good') {
      this.lastKnownGood = new LastKnownGood(options.capacity);
    }
    if (backend.readFile) this.readFile = backend.readFile.bind(backend);
    if (backend.refresh) this.refresh = () => this.refreshNow();
  }

  find(query: EnvironmentQuery): Promise<BackendEnvironment> {
    const known = this.known(query);
    if (known) return Promise.resolve(known);
    const key = keyOf(query);
    return this.questions.get(key) ?? this.ask(key, query);
  }

  known(query: EnvironmentQuery): BackendEnvironment | undefined {
    const answer = this.answers.get(keyOf(query));
    return answer && this.isFresh(answer) ? answer.environment : undefined;
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
    try {
      await this.backend.refresh?.();
    } catch (error) {
      // A backend that still serves what it knows tells the log itself.
      if (this.lastKnownGood === undefined) this.noteAway(REFRESH, error);
      throw error;
    }
    this.availability.noteAnswered(REFRESH);
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
    const size = key.length + estimateSize(environment.sources);
    this.answers.set(key, { environment, askedAt }, { size });
    return environment;
  }

  private async findOrFallBack(key: string, query: EnvironmentQuery): Promise<BackendEnvironment> {
    try {
      const found = await this.backend.find(query);
      this.availability.noteAnswered(key);
      // It is away for every question while it cannot be refreshed.
      this.availability.noteAnswered(REFRESH);
      const known = this.answers.get(key)?.environment ?? this.lastKnownGood?.get(key);
      const environment = known && isSame(known, found) ? known : found;
      this.lastKnownGood?.set(key, environment);
      return environment;
    } catch (error) {
      if (!this.noteAway(key, error)) throw error;
      const known = this.lastKnownGood?.get(key);
      if (known) return known;
      throw error;
    }
  }

  /** False where the error says something else. */
  private noteAway(question: string, error: unknown): boolean {
    if (!(error instanceof BackendError) || !error.isTemporary) return false;
    if (!this.isClosed) this.availability.noteAway(question, error);
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

/** No name holds a line break. */
function keyOf({ applications, profiles, label }: EnvironmentQuery): string {
  return `${applications.join(',')}\n${profiles.join(',')}\n${label ?? ''}`;
}
