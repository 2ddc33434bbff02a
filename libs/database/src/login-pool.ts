// A pool that changes to another login while it is in use. Callers wait while PostgreSQL refuses the current one.
import pg, { type PoolClient, type PoolConfig } from 'pg';
import { DatabaseError } from '@tessera/runtime';
import {
  isLoginRefused,
  LoginCircuitBreaker,
  type Renewal,
  Session,
} from './login-circuit-breaker.js';
import { withoutQuotes } from './connection-errors.js';
import { statementOperations } from './statement-operations.js';

/** Shorter than the time that a caller waits for a connection. */
const RETRY_FOR_MS = 900;
const RETRY_PAUSE_MS = 50;

type Callback = (
  error: Error | undefined,
  client: PoolClient | undefined,
  release: (error?: unknown) => void,
) => void;

interface Caller {
  readonly callback: Callback;
  /** Ends its wait {@link RETRY_FOR_MS} after it began. */
  deadline?: NodeJS.Timeout;
  isLate?: boolean;
}

export class LoginPool extends pg.Pool {
  private readonly breaker: LoginCircuitBreaker;
  /** Callers that wait for a free session, or for their turn to try the login. */
  private readonly waiting = new Set<Caller>();
  private retry: NodeJS.Timeout | undefined;

  constructor(options?: PoolConfig) {
    const breaker = new LoginCircuitBreaker(options?.connectionString);
    super({ ...options, Client: Session, breaker } as PoolConfig);
    this.breaker = breaker;
    this.on('connect', () => this.serveAll());
    // The pool does not keep a session that is ending when it is released.
    this.on('release', (_error, client) => {
      if (!Session.isOf(client, this.options.connectionString)) void client.end();
      queueMicrotask(() => this.serveOneIdle());
    });
  }

  /** Without it, a refused login is an error at once. */
  set renewal(renewal: Renewal | undefined) {
    this.breaker.renewal = renewal;
  }

  /** New sessions use the login of this URL. Idle sessions end now, and those in use when they are released. */
  useLogin(url: string): void {
    this.options.connectionString = url;
    this.breaker.close(url);
    for (let idle = this.idleCount; idle > 0; idle -= 1) {
      super.connect((_error, client) => client?.release());
    }
    this.serveAll();
  }

  override connect(): Promise<PoolClient>;
  override connect(callback: Callback): void;
  override connect(callback?: Callback): Promise<PoolClient> | undefined {
    if (callback !== undefined) {
      // The pool calls it in the context of the caller that released the session.
      this.serve({ callback: statementOperations.keepStore(callback) });
      return undefined;
    }
    const { promise, resolve, reject } = Promise.withResolvers<PoolClient>();
    this.serve({
      callback: (error, client) => (client === undefined ? reject(error) : resolve(client)),
    });
    return promise;
  }

  private serve(caller: Caller): void {
    if (this.breaker.isOpen && this.idleCount === 0) this.wait(caller);
    else this.attempt(caller);
  }

  private attempt(caller: Caller, done = (): void => {}): void {
    this.waiting.delete(caller);
    super.connect((error, client, release) => {
      done();
      if (this.breaker.renewal !== undefined && isLoginRefused(error)) {
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

  /** Half-open: one caller at a time tries the login. */
  private tryOne(): void {
    const [caller] = this.waiting;
    if (caller === undefined) {
      this.retry = undefined;
      return;
    }
    this.breaker.isHalfOpen = true;
    this.attempt(caller, () => {
      this.breaker.isHalfOpen = false;
      this.retry = undefined;
      if (this.waiting.size > 0) this.retry = setTimeout(() => this.tryOne(), RETRY_PAUSE_MS);
    });
  }

  private serveOneIdle(): void {
    const [caller] = this.waiting;
    if (caller !== undefined && this.idleCount > 0) this.attempt(caller);
  }

  private serveAll(): void {
    if (this.breaker.isOpen) return;
    for (const caller of this.waiting) this.attempt(caller);
  }
}

function unavailable(refusal: Error | undefined): DatabaseError {
  const cause = refusal && withoutQuotes(refusal);
  return new DatabaseError('DATABASE_UNAVAILABLE', 'The database is not available.', cause);
}
