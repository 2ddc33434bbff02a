// Owns under which login the sessions of a pool begin: how the pool goes over to another one under way, and what it does
// while PostgreSQL refuses the one it has. Whether another login is good is found out next door.
import pg, { type ClientBase, type ClientConfig, type PoolClient, type PoolConfig } from 'pg';
import { loggerFor, withoutRequestId } from '@tessera/logging';
import { codeOf, DatabaseError, reasonOf } from './errors.js';

const log = loggerFor('database');

/** Within the time a caller waits for a connection. */
const RETRY_FOR_MS = 900;
const RETRY_PAUSE_MS = 50;
/** Settings are asked for no more often: it may be that nobody has given them the new password yet. */
const RENEWAL_PAUSE_MS = 300;

/** Asks for another login, which comes by {@link LoginPool.goOverTo}, if there is one. */
export type Renewal = () => Promise<unknown>;

type Callback = (
  error: Error | undefined,
  client: PoolClient | undefined,
  release: (error?: unknown) => void,
) => void;

/** Keeps to itself which login it began under. */
class Session extends pg.Client {
  readonly #url: string | undefined;

  constructor(config?: ClientConfig) {
    super(config);
    this.#url = config?.connectionString;
  }

  static isOf(client: ClientBase, url: string | undefined): boolean {
    return client instanceof Session && client.#url === url;
  }
}

export class LoginPool extends pg.Pool {
  /** Absent: a login that is refused is an error at once. */
  renewal: Renewal | undefined;
  private renewedAt = -Infinity;

  constructor(options?: PoolConfig) {
    super({ ...options, Client: Session });
    // A session that is ending by the time the pool has it back is not kept.
    this.on('release', (_error, client) => {
      if (!Session.isOf(client, this.options.connectionString)) void client.end();
    });
  }

  /** New sessions begin under the login of this URL. Those at rest end now, and those in use when they are released. */
  goOverTo(url: string): void {
    this.options.connectionString = url;
    for (let idle = this.idleCount; idle > 0; idle -= 1) {
      super.connect((_error, client) => client?.release());
    }
  }

  override connect(): Promise<PoolClient>;
  override connect(callback: Callback): void;
  override connect(callback?: Callback): Promise<PoolClient> | undefined {
    if (callback !== undefined) {
      this.attempt(callback);
      return undefined;
    }
    const { promise, resolve, reject } = Promise.withResolvers<PoolClient>();
    this.attempt((error, client) => (client === undefined ? reject(error) : resolve(client)));
    return promise;
  }

  /** Tries again, while its login is refused, for another login or for a session that was let in before. */
  private attempt(callback: Callback, deadline?: number): void {
    super.connect((error, client, release) => {
      if (this.renewal === undefined || !codeOf(error).startsWith('28')) {
        callback(error, client, release);
        return;
      }
      const now = performance.now();
      const until = deadline ?? now + RETRY_FOR_MS;
      if (now >= until) {
        callback(unavailable(error), undefined, release);
        return;
      }
      this.renew(this.renewal, codeOf(error));
      setTimeout(() => this.attempt(callback, until), RETRY_PAUSE_MS);
    });
  }

  private renew(renewal: Renewal, sqlState: string): void {
    const now = performance.now();
    if (now - this.renewedAt < RENEWAL_PAUSE_MS) return;
    this.renewedAt = now;
    withoutRequestId(() => {
      log.warn({ sqlState }, 'the database refuses our login: asking the settings for another');
      renewal().catch((error: unknown) => {
        log.error({ reason: reasonOf(error) }, 'could not ask for another login');
      });
    });
  }
}

function unavailable(cause: unknown): DatabaseError {
  return new DatabaseError('DATABASE_UNAVAILABLE', 'The database is not available.', cause);
}
