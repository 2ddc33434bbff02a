// Owns under which login the sessions of a pool begin: how the pool goes over to another one under way, and how callers wait
// while PostgreSQL refuses the one it has. Whether another login is good is found out next door.
import pg, { type PoolClient, type PoolConfig } from 'pg';
import { DatabaseError } from './errors.js';
import { isRefusal, LoginDoor, type Renewal, Session } from './login-door.js';
import { withoutQuotes } from './connection-errors.js';

/** Within the time a caller waits for a connection. */
const RETRY_FOR_MS = 900;
const RETRY_PAUSE_MS = 50;

type Callback = (
  error: Error | undefined,
  client: PoolClient | undefined,
  release: (error?: unknown) => void,
) => void;

interface Caller {
  readonly callback: Callback;
  /** From when on it waits: runs out after {@link RETRY_FOR_MS}. */
  deadline?: NodeJS.Timeout;
  isLate?: boolean;
}

export class LoginPool extends pg.Pool {
  private readonly door: LoginDoor;
  /** While the login is refused: for a session that comes free, or for their turn to try. */
  private readonly waiting = new Set<Caller>();
  private retry: NodeJS.Timeout | undefined;

  constructor(options?: PoolConfig) {
    const door = new LoginDoor(options?.connectionString);
    super({ ...options, Client: Session, door } as PoolConfig);
    this.door = door;
    this.on('connect', () => this.serveAll());
    // A session that is ending by the time the pool has it back is not kept.
    this.on('release', (_error, client) => {
      if (!Session.isOf(client, this.options.connectionString)) void client.end();
      queueMicrotask(() => this.serveOneAtRest());
    });
  }

  /** Absent: a login that is refused is an error at once. */
  set renewal(renewal: Renewal | undefined) {
    this.door.renewal = renewal;
  }

  /** New sessions begin under the login of this URL. Those at rest end now, and those in use when they are released. */
  goOverTo(url: string): void {
    this.options.connectionString = url;
    this.door.open(url);
    for (let idle = this.idleCount; idle > 0; idle -= 1) {
      super.connect((_error, client) => client?.release());
    }
    this.serveAll();
  }

  override connect(): Promise<PoolClient>;
  override connect(callback: Callback): void;
  override connect(callback?: Callback): Promise<PoolClient> | undefined {
    if (callback !== undefined) {
      this.serve({ callback });
      return undefined;
    }
    const { promise, resolve, reject } = Promise.withResolvers<PoolClient>();
    this.serve({
      callback: (error, client) => (client === undefined ? reject(error) : resolve(client)),
    });
    return promise;
  }

  private serve(caller: Caller): void {
    if (this.door.isShut && this.idleCount === 0) this.wait(caller);
    else this.attempt(caller);
  }

  private attempt(caller: Caller, done = (): void => {}): void {
    this.waiting.delete(caller);
    super.connect((error, client, release) => {
      done();
      if (this.door.renewal !== undefined && isRefusal(error)) {
        this.wait(caller, error);
      } else {
        clearTimeout(caller.deadline);
        caller.callback(error, client, release);
      }
    });
  }

  private wait(caller: Caller, refusal?: Error): void {
    if (caller.isLate === true) {
      caller.callback(unavailable(refusal), undefined, () => {});
      return;
    }
    this.waiting.add(caller);
    caller.deadline ??= setTimeout(() => {
      caller.isLate = true;
      if (this.waiting.delete(caller)) this.wait(caller, refusal);
    }, RETRY_FOR_MS);
    this.retry ??= setTimeout(() => this.tryOne(), RETRY_PAUSE_MS);
  }

  /** One at a time asks PostgreSQL whether it lets us in by now. */
  private tryOne(): void {
    const [caller] = this.waiting;
    if (caller === undefined) {
      this.retry = undefined;
      return;
    }
    this.door.pass = true;
    this.attempt(caller, () => {
      this.door.pass = false;
      this.retry = undefined;
      if (this.waiting.size > 0) this.retry = setTimeout(() => this.tryOne(), RETRY_PAUSE_MS);
    });
  }

  private serveOneAtRest(): void {
    const [caller] = this.waiting;
    if (caller !== undefined && this.idleCount > 0) this.attempt(caller);
  }

  private serveAll(): void {
    if (this.door.isShut) return;
    for (const caller of this.waiting) this.attempt(caller);
  }
}

function unavailable(refusal: Error | undefined): DatabaseError {
  const cause = refusal && withoutQuotes(refusal);
  return new DatabaseError('DATABASE_UNAVAILABLE', 'The database is not available.', cause);
}
