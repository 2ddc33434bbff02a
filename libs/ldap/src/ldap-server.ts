// Owns one server: its connections, and the memory that it is away. What is asked of it is not known here.
import { loggerFor } from '@tessera/logging';
import { ConnectionPool } from './connection-pool.js';
import { LdapConnection } from './ldap-connection.js';
import { LdapError } from './ldap-error.js';
import type { LdapOptions, ServiceAccount } from './ldap-options.js';
import type { ServerAddress } from './transport.js';

const log = loggerFor('ldap');

type Limits = Pick<LdapOptions, 'connectTimeout' | 'timeout' | 'retryInterval' | 'poolSize'>;

export class LdapServer {
  /** Connections for searches: bound as the service account, or as nobody. */
  readonly searches: ConnectionPool;
  /** Connections for users: whoever takes one binds first, and so ends what it was before. */
  readonly binds: ConnectionPool;
  /** When to try again; absent while the server answers. */
  private retryAt: number | undefined;

  constructor(
    private readonly address: ServerAddress,
    private readonly limits: Limits,
    account?: ServiceAccount,
  ) {
    this.binds = new ConnectionPool(limits.poolSize, (signal) => this.open(signal));
    this.searches = new ConnectionPool(limits.poolSize, async (signal) => {
      const connection = await this.open(signal);
      if (account !== undefined) await bindService(connection, account, signal);
      return connection;
    });
  }

  get isAway(): boolean {
    return this.retryAt !== undefined && performance.now() < this.retryAt;
  }

  /** Runs work within the time that a server has for a login. @throws LdapError */
  async attempt<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    // One login at a time finds out whether it is back; the others pass it by meanwhile.
    if (this.retryAt !== undefined) this.retryAt = this.nextRetry();
    try {
      const answer = await work(AbortSignal.timeout(this.limits.timeout));
      this.noteAnswer();
      return answer;
    } catch (error) {
      this.noteFault(error);
      throw error;
    }
  }

  close(): void {
    this.searches.close();
    this.binds.close();
  }

  private open(signal: AbortSignal): Promise<LdapConnection> {
    const limited = AbortSignal.any([signal, AbortSignal.timeout(this.limits.connectTimeout)]);
    return LdapConnection.open(this.address, limited);
  }

  private noteAnswer(): void {
    if (this.retryAt === undefined) return;
    this.retryAt = undefined;
    log.info({ server: this.address.url }, 'an LDAP server answers again');
  }

  private noteFault(error: unknown): void {
    const server = this.address.url;
    if (!(error instanceof LdapError) || error.code === 'LDAP_REFUSED') {
      log.error({ server, error }, 'an LDAP server refuses what logins need of it');
    }
    if (!(error instanceof LdapError) || error.code !== 'LDAP_UNAVAILABLE') return;
    if (this.retryAt === undefined) log.warn({ server, error }, 'an LDAP server is away');
    this.retryAt = this.nextRetry();
  }

  private nextRetry(): number {
    return performance.now() + this.limits.retryInterval;
  }
}

/** A refusal is the administrator's to mend, and no user's fault. */
async function bindService(
  connection: LdapConnection,
  { dn, password }: ServiceAccount,
  signal: AbortSignal,
): Promise<void> {
  const { code, message } = await connection.bind(dn, password, signal);
  if (code === 0) return;
  connection.close();
  throw new LdapError(
    'LDAP_REFUSED',
    'The directory refuses the account that searches for users.',
    new Error(`LDAP result ${code}: ${message}`),
  );
}
