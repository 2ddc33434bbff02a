// A circuit breaker for the login of a pool: after PostgreSQL refuses it, new sessions fail at once until another login works.
import pg, { type ClientBase, type ClientConfig } from 'pg';
import { loggerFor, withoutRequest } from '@tessera/logging';
import { backoffDelay, codeOf, reasonOf } from '@tessera/runtime';
import { reportStatements } from './statement-operations.js';

const log = loggerFor('database');

/** In milliseconds, between renewals: the settings may not have the new password yet. */
const RENEWAL_BACKOFF = { initial: 300, max: 30_000 };

/** Requests another login, such as by a reload of the settings. The pool gets it by `useLogin`. */
export type Renewal = () => Promise<unknown>;

export class LoginCircuitBreaker {
  /** Without it, the breaker never opens. */
  renewal: Renewal | undefined;
  /** Lets one attempt through while the breaker is open. */
  isHalfOpen = false;
  private refusal: Error | undefined;
  private renewedAt = -Infinity;
  private renewals = 0;

  constructor(private url: string | undefined) {}

  get isOpen(): boolean {
    return this.refusal !== undefined;
  }

  /** Also takes another login. */
  close(url = this.url): void {
    this.url = url;
    this.refusal = undefined;
    this.renewals = 0;
  }

  /** The error for a new session; undefined when it may begin. */
  rejection(): Error | undefined {
    if (!this.isHalfOpen) return this.refusal;
    this.isHalfOpen = false;
    return undefined;
  }

  /** Records the outcome of an attempt to log in with a URL. */
  record(url: string | undefined, error: Error | null | undefined): void {
    if (this.renewal === undefined || url !== this.url) return;
    if (!error) this.close();
    else if (isLoginRefused(error)) this.open(this.renewal, error);
  }

  private open(renewal: Renewal, refusal: Error): void {
    const wasClosed = !this.isOpen;
    this.refusal = refusal;
    const now = performance.now();
    if (now - this.renewedAt < backoffDelay(Math.max(this.renewals, 1), RENEWAL_BACKOFF)) return;
    this.renewals += 1;
    this.renewedAt = now;
    withoutRequest(() => {
      if (wasClosed) {
        const sqlState = codeOf(refusal);
        log.warn({ sqlState }, 'the database refuses our login: asking the settings for another');
      }
      renewal().catch((error: unknown) => {
        log.error({ reason: reasonOf(error) }, 'could not ask for another login');
      });
    });
  }
}

export interface SessionConfig extends ClientConfig {
  readonly breaker?: LoginCircuitBreaker;
}

/** A session of the pool. It knows the URL that it logged in with. */
export class Session extends pg.Client {
  readonly #url: string | undefined;
  readonly #breaker: LoginCircuitBreaker | undefined;

  constructor(config?: SessionConfig) {
    super(config);
    this.#url = config?.connectionString;
    this.#breaker = config?.breaker;
    reportStatements(this);
  }

  static isOf(client: ClientBase, url: string | undefined): boolean {
    return client instanceof Session && client.#url === url;
  }

  override connect(): Promise<pg.Client>;
  override connect(callback: (error: Error) => void): void;
  override connect(callback?: (error: Error) => void): Promise<pg.Client> | undefined {
    if (callback === undefined) return super.connect();
    const rejection = this.#breaker?.rejection();
    if (rejection !== undefined) {
      queueMicrotask(() => callback(rejection));
      return undefined;
    }
    super.connect((error: Error) => {
      this.#breaker?.record(this.#url, error);
      callback(error);
    });
    return undefined;
  }
}

/** SQLSTATE class 28, invalid authorization. */
export function isLoginRefused(error: unknown): boolean {
  return codeOf(error).startsWith('28');
}
