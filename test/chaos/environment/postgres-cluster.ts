// A primary with one streaming standby. This run promotes the standby; HAProxy asks `/primary` which server is the primary, as
// it asks Patroni.
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { until } from '../../support/until.js';
import type { Database } from '../target.js';
import type { DatabaseServer } from './database-server.js';

export interface ClusterOptions {
  readonly isSynchronous: boolean;
  /** Whether a failover shuts the old primary off first. */
  readonly isFenced: boolean;
}

export class PostgresCluster implements Database {
  /** The server that `/primary` names. */
  private announced: DatabaseServer | undefined;
  private servers: readonly [DatabaseServer, DatabaseServer];
  private readonly checks: Server;

  constructor(
    first: DatabaseServer,
    second: DatabaseServer,
    private readonly options: ClusterOptions,
  ) {
    this.servers = [first, second];
    this.checks = createServer(({ url = '' }, response) => {
      const isPrimary = url === `/primary/${this.announced?.name}`;
      response.writeHead(isPrimary ? 200 : 503).end();
    });
  }

  get primary(): DatabaseServer {
    return this.servers[0];
  }

  get standby(): DatabaseServer {
    return this.servers[1];
  }

  /** Of the server that answers `/primary/<name>`. */
  get checkPort(): number {
    return (this.checks.address() as AddressInfo).port;
  }

  async start(): Promise<void> {
    this.checks.listen(0, '127.0.0.1');
    await once(this.checks, 'listening');
    await this.primary.initialise();
    await this.primary.start();
    await this.primary.query('create database tessera');
    await this.standby.copyFrom(this.primary);
    await this.startStandby();
    this.announced = this.primary;
  }

  async waitForStandby(waits: boolean): Promise<void> {
    if (!this.options.isSynchronous) return;
    if (waits) await this.untilStreaming();
    const names = waits ? '*' : '';
    await this.primary.query(`alter system set synchronous_standby_names = '${names}'`);
    await this.primary.query('select pg_reload_conf()');
  }

  async detachStandby(): Promise<void> {
    await this.standby.query(`alter system set primary_conninfo = ''`);
    await this.standby.query('select pg_reload_conf()');
  }

  async failover(): Promise<void> {
    const [old, next] = this.servers;
    if (this.options.isFenced) {
      this.announced = undefined;
      await until('HAProxy has shut the old primary off', () => this.isFencedOff());
    }
    await next.promote();
    this.servers = [next, old];
    await this.waitForStandby(false);
    this.announced = next;
  }

  async rebuildStandby(): Promise<void> {
    await this.standby.kill();
    await this.standby.copyFrom(this.primary);
    await this.startStandby();
  }

  /** Whether HAProxy has no server for a connection. Set by the environment, which has HAProxy. */
  isFencedOff: () => Promise<boolean> = () => Promise.resolve(true);

  async close(): Promise<void> {
    for (const server of this.servers) await server.stop();
    this.checks.close();
    this.checks.closeAllConnections();
  }

  private async startStandby(): Promise<void> {
    await this.standby.start();
    await this.waitForStandby(true);
  }

  private async untilStreaming(): Promise<void> {
    const streaming = `select 1 from pg_stat_replication where state = 'streaming'`;
    await until('the standby streams', async () => {
      return (await this.primary.query(streaming)).length > 0;
    });
  }
}
