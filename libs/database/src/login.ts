// The current login on one database, and its change while the application runs.
import type { DataSource } from 'typeorm';
import { urlViolation } from '@tessera/runtime';
import { loginPoolOf } from './connection.js';
import { currentSchema, type LoginRequirements, probeLogin } from './login-probe.js';
import type { LoginPool } from './login-pool.js';
import type { Renewal } from './login-circuit-breaker.js';
import { describeConnectionError } from './connection-errors.js';

/** A prepared change of login: `commit()` or `discard()`, exactly one of them, once. */
export interface LoginChange {
  /** New sessions use the new login. Sessions under the old one end as soon as they are idle. */
  commit(): void;
  discard(): void;
}

/** A login that cannot replace the current one. */
export interface LoginViolation {
  /** Follows the name of the setting. Repeats nothing of the URL. */
  readonly violation: string;
}

export class DatabaseLogin {
  private pool: LoginPool | undefined;
  /** Where the tables are. */
  private schema: string | undefined;

  /** @param renewal requests another login while PostgreSQL refuses this one; callers wait for it up to 0.9 s */
  constructor(
    private current: string,
    private readonly requirements: LoginRequirements,
    private readonly renewal?: Renewal,
  ) {}

  /** The URL of the current login. */
  get url(): string {
    return this.current;
  }

  /** Applies this and later logins to the sessions of a data source. @param dataSource connected with {@link url} */
  async attach(dataSource: DataSource): Promise<void> {
    const pool = loginPoolOf(dataSource);
    this.schema = await currentSchema(pool);
    this.pool = pool;
    pool.renewal = this.renewal;
    // The login may have changed during the connection.
    if (pool.options.connectionString !== this.url) pool.useLogin(this.url);
  }

  /**
   * Checks whether another login can replace the current one, by a session under it. Without a connection so far, it
   * checks the URL alone.
   *
   * @param url of the same database; undefined for the embedded one, which needs no password
   * @returns undefined where it is the current login
   */
  async prepare(url: string | undefined): Promise<LoginChange | LoginViolation | undefined> {
    if (url === undefined || url === this.current) return undefined;
    const violation = await this.violationOf(url);
    if (violation !== undefined) return { violation };
    const commit = (): void => {
      this.current = url;
      this.pool?.useLogin(url);
    };
    return { commit, discard: () => {} };
  }

  private async violationOf(url: string): Promise<string | undefined> {
    const violation = await urlViolation(url);
    if (violation !== undefined || this.pool === undefined) return violation;
    try {
      return await probeLogin(
        { ...this.pool.options, connectionString: url },
        this.requirements,
        this.schema,
      );
    } catch (error) {
      return describeConnectionError(error);
    }
  }
}
