// One server: its connection pools, and whether it is available.
import { loggerFor } from '@tessera/logging';
import { ConnectionPool } from './connection-pool.js';
import { LdapConnection } from './ldap-connection.js';
import { LdapError } from './ldap-error.js';
import type { LdapOptions, ServiceAccount } from './ldap-options.js';
import type { ServerAddress } from './transport.js';

const log = loggerFor('ldap');

type Limits = Pick<
  LdapOptions,
  'name' | 'connectTimeout' | 'timeout' | 'retryInterval' | 'poolSize'
>;

export class LdapServer {
  /** For searches: bound as the service account, or anonymous. */
  readonly searches: ConnectionPool;
  /** For users: each use starts with a bind, which replaces the previous identity. */
  readonly binds: ConnectionPool;
  /** The time of the next attempt; absent while the server is available. */
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

  get isUnavailable(): boolean {
    return this.retryAt !== undefined && performance.now() < this.retryAt;
  }

  /** Runs the work of one login with a timeout. @throws LdapError */
  async attempt<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    // Only one login probes an unavailable server per retry interval; the others skip it.
    if (this.retryAt !== undefined) this.retryAt = this.nextRetry();
    try {
      const answer = await work(AbortSignal.timeout(this.limits.timeout));
      this.recordSuccess();
      return answer;
    } catch (error) {
      this.recordError(error);
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

  private recordSuccess(): void {
    if (this.retryAt === undefined) return;
    this.retryAt = undefined;
    log.info(this.logged, 'an LDAP server is available again');
  }

  private recordError(error: unknown): void {
    if (!(error instanceof LdapError) || error.code === 'LDAP_REFUSED') {
      log.error({ ...this.logged, error }, 'an LDAP server refuses what logins need of it');
    }
    if (!(error instanceof LdapError) || error.code !== 'LDAP_UNAVAILABLE') return;
    if (this.retryAt === undefined) {
      log.warn({ ...this.logged, error }, 'an LDAP server is unavailable');
    }
    this.retryAt = this.nextRetry();
  }

  private get logged(): Readonly<Record<string, string>> {
    return { directory: this.limits.name, server: this.address.url };
  }

  private nextRetry(): number {
    return performance.now() + this.limits.retryInterval;
  }
}

/** @throws LdapError LDAP_REFUSED where the account is refused, which is an error of the configuration */
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
