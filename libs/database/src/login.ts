// Owns the login on one database: which one is in force, before and after a connection, and how another takes its place. How
// sessions follow is the pool's part.
import type { DataSource } from 'typeorm';
import { urlFault } from '@tessera/database-url';
import { loginPoolOf } from './connection.js';
import { currentSchema, type LoginNeeds, probeLogin } from './login-probe.js';
import type { LoginPool } from './login-pool.js';
import type { Renewal } from './login-circuit-breaker.js';
import { reasonOfRefusal } from './connection-errors.js';

/** Another login that can do all that it is needed for. One of both is called. */
export interface LoginChange {
  /** New sessions begin with it; the others end as soon as they are at rest. */
  commit(): void;
  discard(): void;
}

/** Another login that cannot take the place of the one in force. */
export interface LoginFault {
  /** Reads on from the name of the setting. Quotes nothing of the URL. */
  readonly fault: string;
}

export class DatabaseLogin {
  private pool: LoginPool | undefined;
  /** Where the tables are. */
  private schema: string | undefined;

  /** @param renewal asks for another login while PostgreSQL refuses this one; callers wait for it a little */
  constructor(
    private inForce: string,
    private readonly needs: LoginNeeds,
    private readonly renewal?: Renewal,
  ) {}

  /** What to connect with. */
  get url(): string {
    return this.inForce;
  }

  /** From now on the sessions of this data source follow. @param dataSource connected with {@link url} */
  async govern(dataSource: DataSource): Promise<void> {
    const pool = loginPoolOf(dataSource);
    this.schema = await currentSchema(pool);
    this.pool = pool;
    pool.renewal = this.renewal;
    // Another may have come while it was connecting.
    if (pool.options.connectionString !== this.url) pool.useLogin(this.url);
  }

  /**
   * Finds out whether another login can take the place of the one in force, where there is a connection yet.
   *
   * @param url of the same database; absent: the embedded one, which lets us in without a password
   * @returns nothing where it is the one in force
   */
  async prepare(url: string | undefined): Promise<LoginChange | LoginFault | undefined> {
    if (url === undefined || url === this.inForce) return undefined;
    const fault = await this.faultOf(url);
    if (fault !== undefined) return { fault };
    const commit = (): void => {
      this.inForce = url;
      this.pool?.useLogin(url);
    };
    return { commit, discard: () => {} };
  }

  private async faultOf(url: string): Promise<string | undefined> {
    const fault = await urlFault(url);
    if (fault !== undefined || this.pool === undefined) return fault;
    try {
      return await probeLogin(
        { ...this.pool.options, connectionString: url },
        this.needs,
        this.schema,
      );
    } catch (error) {
      return reasonOfRefusal(error);
    }
  }
}
