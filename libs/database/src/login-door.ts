// Owns what is known of a login: whether PostgreSQL refuses it, who may try it then, and how often another is asked for.
import pg, { type ClientBase, type ClientConfig } from 'pg';
import { loggerFor, withoutRequestId } from '@tessera/logging';
import { codeOf, reasonOf } from './errors.js';

const log = loggerFor('database');

/** Settings are asked for no more often: it may be that nobody has given them the new password yet. */
const FIRST_RENEWAL_PAUSE_MS = 300;
const LONGEST_RENEWAL_PAUSE_MS = 30_000;

/** Asks for another login, which comes by `goOverTo` of the pool, if there is one. */
export type Renewal = () => Promise<unknown>;

export class LoginDoor {
  /** Absent: everybody may try at any time. */
  renewal: Renewal | undefined;
  /** One attempt that is let through although the login is refused. */
  pass = false;
  private refusal: Error | undefined;
  private renewedAt = -Infinity;
  private renewalPause = FIRST_RENEWAL_PAUSE_MS;

  constructor(private url: string | undefined) {}

  get isShut(): boolean {
    return this.refusal !== undefined;
  }

  /** Another login is in force: nothing is known of it. */
  open(url = this.url): void {
    this.url = url;
    this.refusal = undefined;
    this.renewalPause = FIRST_RENEWAL_PAUSE_MS;
  }

  /** What an attempt that nobody needs to make would come to. */
  forestall(): Error | undefined {
    if (!this.pass) return this.refusal;
    this.pass = false;
    return undefined;
  }

  /** What came of an attempt with a login. */
  tell(url: string | undefined, error: Error | null | undefined): void {
    if (this.renewal === undefined || url !== this.url) return;
    if (!error) this.open();
    else if (isRefusal(error)) this.shut(this.renewal, error);
  }

  private shut(renewal: Renewal, refusal: Error): void {
    const isNew = !this.isShut;
    this.refusal = refusal;
    const now = performance.now();
    if (now - this.renewedAt < this.renewalPause) return;
    if (!isNew) this.renewalPause = Math.min(this.renewalPause * 2, LONGEST_RENEWAL_PAUSE_MS);
    this.renewedAt = now;
    withoutRequestId(() => {
      if (isNew) {
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
  readonly door?: LoginDoor;
}

/** Keeps to itself which login it began under, and begins only where the door lets it. */
export class Session extends pg.Client {
  readonly #url: string | undefined;
  readonly #door: LoginDoor | undefined;

  constructor(config?: SessionConfig) {
    super(config);
    this.#url = config?.connectionString;
    this.#door = config?.door;
  }

  static isOf(client: ClientBase, url: string | undefined): boolean {
    return client instanceof Session && client.#url === url;
  }

  override connect(): Promise<pg.Client>;
  override connect(callback: (error: Error) => void): void;
  override connect(callback?: (error: Error) => void): Promise<pg.Client> | undefined {
    if (callback === undefined) return super.connect();
    const refusal = this.#door?.forestall();
    if (refusal !== undefined) {
      queueMicrotask(() => callback(refusal));
      return undefined;
    }
    super.connect((error: Error) => {
      this.#door?.tell(this.#url, error);
      callback(error);
    });
    return undefined;
  }
}

/** Whether PostgreSQL does not take us for whom we say we are: SQLSTATE of class 28. */
export function isRefusal(error: unknown): boolean {
  return codeOf(error).startsWith('28');
}
