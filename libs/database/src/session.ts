// The pool of an application and its sessions. A session reports its statements to traces, connects to the server that can
// write, and says when PostgreSQL refuses the credentials.
import pg, { type ClientConfig, type PoolClient, type PoolConfig } from 'pg';
import { codeOf, DatabaseError } from '@tessera/runtime';
import { DatabaseHosts } from './hosts.js';
import { reportStatements, statementOperations } from './statement-operations.js';

type Callback = Parameters<pg.Pool['connect']>[0];

/** Pause between attempts to connect, while the server says that it is a standby: one that is promoted says so to the end. */
const PROMOTION_PAUSE_MS = 100;
/** What PostgreSQL says of a statement that a standby cannot run: read-only, and unlogged tables. */
const STANDBY_SQLSTATES = ['25006', '0A000'];

export interface SessionConfig extends ClientConfig {
  /** Called when PostgreSQL refuses the credentials. Callers then get the error of an unavailable database. */
  onCredentialsRefused?: ((error: Error) => void) | undefined;
  /** Override the host of the connection string. */
  readonly hosts?: DatabaseHosts | undefined;
}

export class SessionPool extends pg.Pool {
  constructor(options?: PoolConfig) {
    super({ ...options, Client: Session });
  }

  /** Its options, which count for new sessions. */
  get sessionConfig(): SessionConfig {
    return this.options;
  }

  /** A session outside the pool. It is not connected. */
  createSession(): pg.Client {
    return new Session(this.sessionConfig);
  }

  override connect(): Promise<PoolClient>;
  override connect(callback: Callback): void;
  override connect(callback?: Callback): Promise<PoolClient> | undefined {
    if (callback === undefined) {
      const { promise, resolve, reject } = Promise.withResolvers<PoolClient>();
      this.connect((error, client) => (client ? resolve(client) : reject(error)));
      return promise;
    }
    // The pool calls it in the context of the caller that released the session.
    this.attempt(statementOperations.keepStore(callback), performance.now());
    return undefined;
  }

  /** Gets a session of the primary server: the hosts are tried in turn, and a standby that is being promoted again. */
  private attempt(callback: Callback, startedAt: number, attempts = 1): void {
    super.connect((error, client, release) => {
      if (client !== undefined && !(client as PoolClient & Session).isUsable) {
        release(true);
        this.attempt(callback, startedAt, attempts);
        return;
      }
      const pause = error && this.pauseBeforeNext(error, performance.now() - startedAt, attempts);
      if (pause === undefined) callback(error, client, release);
      else setTimeout(() => this.attempt(callback, startedAt, attempts + 1), pause);
    });
  }

  /** In milliseconds; undefined after the last attempt. */
  private pauseBeforeNext(error: Error, elapsed: number, attempts: number): number | undefined {
    const limit = this.options.connectionTimeoutMillis ?? Infinity;
    // Half of it: the last attempt may take as long again.
    if (this.ending || elapsed > limit / 2) return undefined;
    // Also where the host refuses: another may not.
    if (attempts < (this.sessionConfig.hosts?.count ?? 1)) return 0;
    return STANDBY_SQLSTATES.includes(codeOf(error)) ? PROMOTION_PAUSE_MS : undefined;
  }
}

class Session extends pg.Client {
  readonly #config: SessionConfig | undefined;
  readonly #server: string;
  #isStandby = false;

  constructor(config?: SessionConfig) {
    const server = config?.hosts?.current ?? '';
    super(server === '' ? config : { ...config, connectionString: server });
    this.#config = config;
    this.#server = server;
    reportStatements(this);
    this.#watchRole();
  }

  /** False after the server was found to be a standby, or to have been replaced. */
  get isUsable(): boolean {
    return !this.#isStandby && this.#config?.hosts?.isReplaced(this.#server) !== true;
  }

  override connect(): Promise<pg.Client>;
  override connect(callback: (error: Error) => void): void;
  override connect(callback?: (error: Error) => void): Promise<pg.Client> | undefined {
    if (callback === undefined) {
      const { promise, resolve, reject } = Promise.withResolvers<pg.Client>();
      this.connect((error?: Error) => (error ? reject(error) : resolve(this)));
      return promise;
    }
    super.connect((error?: Error) => callback(this.#settle(error) as Error));
    return undefined;
  }

  /** PostgreSQL reports the parameter at login, and when it changes. */
  #watchRole(): void {
    const { connection } = this as unknown as DriverClient;
    connection.on('parameterStatus', ({ parameterName, parameterValue }) => {
      if (parameterName === 'in_hot_standby') this.#isStandby = parameterValue === 'on';
    });
    connection.on('errorMessage', ({ code }) => {
      this.#isStandby ||= STANDBY_SQLSTATES.includes(code);
    });
  }

  /** @returns the error of this attempt to connect */
  #settle(error: Error | undefined): Error | undefined {
    const hosts = this.#config?.hosts;
    const failure = error ?? (this.#isStandby ? standbyError() : undefined);
    if (failure === undefined) {
      hosts?.connected(this.#server);
      return undefined;
    }
    if (!error) this.end(() => {});
    hosts?.failed(this.#server);
    return this.#translate(failure);
  }

  #translate(error: Error): Error {
    const onRefused = this.#config?.onCredentialsRefused;
    if (onRefused === undefined || !codeOf(error).startsWith('28')) return error;
    onRefused(error);
    // Without words of PostgreSQL, which may quote the user.
    return new DatabaseError('DATABASE_UNAVAILABLE', 'The database is not available.');
  }
}

/** As of a statement that a standby refuses. */
function standbyError(): Error {
  return Object.assign(new Error('the server is a standby'), { code: STANDBY_SQLSTATES[0] });
}

/** The part of the driver that has no types. The specs of standbys fail if it changes. */
interface DriverClient {
  readonly connection: {
    on(event: 'parameterStatus', listener: (message: ParameterStatus) => void): void;
    on(event: 'errorMessage', listener: (message: { readonly code: string }) => void): void;
  };
}

interface ParameterStatus {
  readonly parameterName: string;
  readonly parameterValue: string;
}
