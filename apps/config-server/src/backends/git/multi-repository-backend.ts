// The backend `git` with several repositories: patterns of applications and profiles choose one for each query.
import type {
  BackendEnvironment,
  EnvironmentBackend,
  EnvironmentQuery,
  PlainFile,
  PlainFileQuery,
} from '../environment-backend.js';
import { closeAll } from '../open-all.js';
import { matchesQuery } from './repository-patterns.js';

type Repository = Required<EnvironmentBackend>;

export interface PatternRepository {
  /** As `completedPatterns` returns them. */
  readonly patterns: readonly string[];
  readonly repository: Repository;
}

/**
 * The first repository that matches a query answers it, else the default one. If it fails, the query fails: another
 * repository could have other settings.
 */
export class MultiRepositoryBackend implements EnvironmentBackend {
  readonly name = 'git';

  constructor(
    private readonly main: Repository,
    private readonly others: readonly PatternRepository[],
  ) {}

  find(query: EnvironmentQuery): Promise<BackendEnvironment> {
    return this.repositoryFor(query).find(query);
  }

  readFile(query: PlainFileQuery): Promise<PlainFile | undefined> {
    return this.repositoryFor(query).readFile(query);
  }

  /** Refreshes all of them. Fails if one fails, after the others have ended. */
  async refresh(): Promise<void> {
    const refreshed = await Promise.allSettled(this.all.map((each) => each.refresh()));
    const failed = refreshed.find((each) => each.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
  }

  async close(): Promise<void> {
    await closeAll(this.all);
  }

  private get all(): readonly Repository[] {
    return [this.main, ...this.others.map(({ repository }) => repository)];
  }

  private repositoryFor(query: EnvironmentQuery): Repository {
    const found = this.others.find(({ patterns }) => matchesQuery(patterns, query));
    return found?.repository ?? this.main;
  }
}
