// Owns the login on one database: which one is in force, before and after a connection, and how another takes its place. How
// sessions follow is the pool's part.
import pg, { type ClientConfig } from 'pg';
import type { DataSource } from 'typeorm';
import { loginPoolOf, refused, refuseForeign } from './connection.js';
import { reasonOf, toDatabaseError } from './errors.js';
import type { LoginPool, Renewal } from './login-pool.js';

/** As all applications call it. */
const SETTING = 'database.url';

/** Another login that PostgreSQL lets in. One of both is called. */
export interface LoginChange {
  /** New sessions begin with it; the others end as soon as they are at rest. */
  commit(): void;
  discard(): void;
}

export class DatabaseLogin {
  private pool: LoginPool | undefined;

  /** @param renewal asks for another login while PostgreSQL refuses this one; callers wait for it a little */
  constructor(
    private inForce: string,
    private readonly renewal?: Renewal,
  ) {}

  /** What to connect with. */
  get url(): string {
    return this.inForce;
  }

  /** From now on the sessions of this data source follow. @param dataSource connected with {@link url} */
  govern(dataSource: DataSource): void {
    this.pool = loginPoolOf(dataSource);
    this.pool.renewal = this.renewal;
    // Another may have come while it was connecting.
    if (this.pool.options.connectionString !== this.url) this.pool.goOverTo(this.url);
  }

  /**
   * Finds out whether PostgreSQL lets another login in, where there is a connection yet.
   *
   * @param url of the same database; absent: the embedded one, which lets us in without a password
   * @returns nothing where it is the one in force
   * @throws Error that names the setting, and nothing of what it holds
   */
  async prepare(url: string | undefined): Promise<LoginChange | undefined> {
    if (url === undefined || url === this.inForce) return undefined;
    try {
      refuseForeign(url);
      if (this.pool) await tryLogin({ ...this.pool.options, connectionString: url });
    } catch (error) {
      const reason = reasonOf(toDatabaseError(refused(error)));
      throw new Error(`${SETTING}: ${reason}`, { cause: error });
    }
    const commit = (): void => {
      this.inForce = url;
      this.pool?.goOverTo(url);
    };
    return { commit, discard: () => {} };
  }
}

/**
 * Whether two URLs differ in no more than user, password and options. One that cannot be read differs from none, and the
 * embedded database, which has none, from all.
 */
export function isSameDatabase(one: string | undefined, other: string | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  try {
    return placeOf(one) === placeOf(other);
  } catch {
    return true;
  }
}

/** As the driver reads it, which takes much from a URL's query. */
function placeOf(url: string): string {
  const { host, port, database } = new pg.Client({ connectionString: url });
  return JSON.stringify([host, port, database]);
}

async function tryLogin(config: ClientConfig): Promise<void> {
  const client = new pg.Client(config);
  client.on('error', () => {});
  try {
    await client.connect();
  } finally {
    client.end().catch(() => {});
  }
}
