// The pool of an application and its sessions: they report statements to traces, and say when PostgreSQL refuses the credentials.
import pg, { type ClientConfig, type PoolClient, type PoolConfig } from 'pg';
import { codeOf, DatabaseError } from '@tessera/runtime';
import { reportStatements, statementOperations } from './statement-operations.js';

type Callback = Parameters<pg.Pool['connect']>[0];

export interface SessionConfig extends ClientConfig {
  /** Called when PostgreSQL refuses the credentials. Callers then get the error of an unavailable database. */
  onCredentialsRefused?: ((error: Error) => void) | undefined;
}

export class SessionPool extends pg.Pool {
  constructor(options?: PoolConfig) {
    super({ ...options, Client: Session });
  }

  /** Its options, which count for new sessions. */
  get sessionConfig(): SessionConfig {
    return this.options;
  }

  override connect(): Promise<PoolClient>;
  override connect(callback: Callback): void;
  override connect(callback?: Callback): Promise<PoolClient> | undefined {
    if (callback === undefined) return super.connect();
    // The pool calls it in the context of the caller that released the session.
    super.connect(statementOperations.keepStore(callback));
    return undefined;
  }
}

class Session extends pg.Client {
  readonly #config: SessionConfig | undefined;

  constructor(config?: SessionConfig) {
    super(config);
    this.#config = config;
    reportStatements(this);
  }

  override connect(): Promise<pg.Client>;
  override connect(callback: (error: Error) => void): void;
  override connect(callback?: (error: Error) => void): Promise<pg.Client> | undefined {
    if (callback === undefined) return super.connect();
    super.connect((error?: Error) => callback(this.#translate(error) as Error));
    return undefined;
  }

  #translate(error: Error | undefined): Error | undefined {
    const onRefused = this.#config?.onCredentialsRefused;
    if (onRefused === undefined || !codeOf(error).startsWith('28')) return error;
    onRefused(error as Error);
    // Without words of PostgreSQL, which may quote the user.
    return new DatabaseError('DATABASE_UNAVAILABLE', 'The database is not available.');
  }
}
