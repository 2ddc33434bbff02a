// Statements whose answer must survive a failover: logins and logouts. Their commits wait for synchronous standbys, on
// connections of their own, so that nothing else waits behind them.
import type { Pool, QueryConfig, QueryResult, QueryResultRow } from 'pg';
import type { DataSource } from 'typeorm';
import { DatabaseError, isUnavailable } from '@tessera/runtime';
import { loggerFor, withoutRequest } from '@tessera/logging';
import { databaseTimeouts, poolOf, sessionPoolOf, SESSION_OPTIONS } from './connection.js';
import { SessionPool } from './session.js';
import { StatementTimeout } from './statement-timeout.js';

const log = loggerFor('database');

/** Connections of a process, besides those of its data source. */
const CONNECTIONS = 4;
/** While the breaker is open, PostgreSQL is asked so often whether standbys confirm again; in milliseconds. */
const CHECK_INTERVAL_MS = 1_000;

/** Commits that wait for a standby longer than any healthy one takes. The statement before such a commit has ended. */
const STALLED = `select exists (
  select from pg_stat_activity
  where datname = current_database() and wait_event = 'SyncRep' and query_start < now() - interval '500 ms') as stalled`;

/**
 * Neither a time limit nor a caller that leaves ends a commit that waits for a standby, and cancelling it would make a change
 * visible that a failover loses. So a circuit breaker bounds how many wait: it opens where PostgreSQL shows a stalled commit
 * after a failure, and closes when it shows none. Meanwhile statements fail at once.
 */
export class DurableStatements {
  private opened: Pool | undefined;
  private isOpen = false;
  private checkedAt = Number.NEGATIVE_INFINITY;

  /** @param dataSource sees the stalled commits, on connections that wait for no standby */
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Runs a statement that is a transaction of its own.
   *
   * @throws DatabaseError DATABASE_UNAVAILABLE while standbys do not confirm; errors of the driver
   */
  async query<R extends QueryResultRow>(
    statement: string | QueryConfig,
    values?: readonly unknown[],
  ): Promise<QueryResult<R>> {
    if (this.isOpen) await this.check(CHECK_INTERVAL_MS);
    this.requireClosed();
    const session = await this.pool().connect();
    // The breaker may have opened while this statement waited for a connection.
    if (this.isOpen) session.release();
    this.requireClosed();
    let hasFailed = true;
    try {
      const result = await session.query<R>(statement as string, values && [...values]);
      hasFailed = false;
      return result;
    } catch (error) {
      if (isUnavailable(error)) await this.check(0);
      throw error;
    } finally {
      session.release(hasFailed);
    }
  }

  async close(): Promise<void> {
    await this.opened?.end();
  }

  /** Opened with the first statement: the data source has its callbacks by then. */
  private pool(): Pool {
    if (this.opened !== undefined) return this.opened;
    const shared = sessionPoolOf(this.dataSource);
    const { sessionConfig } = shared;
    const { watch: onConnect } = new StatementTimeout(databaseTimeouts.statement);
    const config = { ...sessionConfig, max: CONNECTIONS, options: SESSION_OPTIONS, onConnect };
    this.opened = new SessionPool(config);
    this.opened.on('error', (error) => shared.emit('error', error));
    return this.opened;
  }

  /** @throws DatabaseError DATABASE_UNAVAILABLE while the breaker is open */
  private requireClosed(): void {
    if (!this.isOpen) return;
    throw new DatabaseError(
      'DATABASE_UNAVAILABLE',
      'The database is not available: a standby does not confirm commits.',
    );
  }

  /** @param interval skips the check if the last one began less than so many milliseconds ago */
  private async check(interval: number): Promise<void> {
    const now = performance.now();
    if (now - this.checkedAt < interval) return;
    this.checkedAt = now;
    const isOpen = await this.hasStalledCommit();
    if (isOpen === undefined || isOpen === this.isOpen) return;
    this.isOpen = isOpen;
    withoutRequest(() => {
      if (isOpen) log.error({}, 'commits wait for a standby: logins and logouts are refused');
      else log.info({}, 'commits are confirmed again');
    });
  }

  /** Undefined where the database is unavailable. */
  private async hasStalledCommit(): Promise<boolean | undefined> {
    try {
      const { rows } = await poolOf(this.dataSource).query<{ readonly stalled: boolean }>(STALLED);
      return rows[0]?.stalled === true;
    } catch (error) {
      if (isUnavailable(error)) return undefined;
      throw error;
    }
  }
}
