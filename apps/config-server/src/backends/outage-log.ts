// Logs the start and the end of a backend's outages, once for each reason.
import { loggerFor } from '@tessera/logging';

const logger = loggerFor('environment');

/** Callers choose the queries. */
const MAX_QUERIES = 1_000;

/**
 * The outages of one backend. An outage ends when a query that failed for its reason succeeds. Other successes prove
 * nothing: a store may refuse one query permanently and answer the others.
 */
export class OutageLog {
  /** The queries that failed, by reason; further ones are not recorded. */
  private readonly failedQueries = new Map<string, Set<string>>();

  /** @param serving what callers get during an outage */
  constructor(
    private readonly backend: string,
    private readonly serving: string,
  ) {}

  noteUnavailable(query: string, error: Error): void {
    const reason = codeOf(error.cause);
    const queries = this.failedQueries.get(reason);
    if (queries === undefined) {
      this.failedQueries.set(reason, new Set([query]));
      const { backend, serving } = this;
      const causes = causesOf(error.cause);
      logger.warn({ backend, serving, causes }, 'a backend is unavailable');
    } else if (queries.size < MAX_QUERIES) {
      queries.add(query);
    }
  }

  noteAnswered(query: string): void {
    for (const [reason, queries] of this.failedQueries) {
      // At the limit, the query may have failed without a record.
      if (!queries.has(query) && queries.size < MAX_QUERIES) continue;
      this.failedQueries.delete(reason);
      logger.info({ backend: this.backend, reason }, 'a backend is available again');
    }
  }
}

/** Without stacks: an outage is no bug. */
function causesOf(error: unknown): readonly object[] {
  if (!Error.isError(error)) return [];
  const { code, message, cause } = error as NodeJS.ErrnoException;
  return [{ code, message }, ...causesOf(cause)];
}

/** The code of an error, or of its nearest cause with a code; empty if there is none. */
function codeOf(error: unknown): string {
  if (!Error.isError(error)) return '';
  const { code, cause } = error as NodeJS.ErrnoException;
  return code ?? codeOf(cause);
}
