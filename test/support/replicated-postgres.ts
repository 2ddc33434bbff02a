// A PostgreSQL with a standby. Each server has a port of 127.0.0.1.
import { join } from 'node:path';
import { makeFolder, removeFolder } from './folders.js';
import { giveToPostgres, PostgresServer } from './postgres-server.js';
import { until } from './until.js';

export class ReplicatedPostgres {
  private constructor(
    readonly primary: PostgresServer,
    readonly standby: PostgresServer,
    private readonly folder: string,
  ) {}

  /**
   * The standby is synchronous: commits wait for it unless the session says otherwise.
   *
   * @param durable false if it may lose data when the machine fails, which is faster
   */
  static async start({ durable = false } = {}): Promise<ReplicatedPostgres> {
    const settings = durable ? [] : ['fsync=off'];
    const folder = await makeFolder();
    await giveToPostgres(folder);
    const primary = await PostgresServer.create({ data: join(folder, 'primary'), settings });
    const standby = await PostgresServer.create({ data: join(folder, 'standby'), settings });
    await primary.initialise();
    await primary.start();
    await standby.copyFrom(primary);
    await standby.start();
    const servers = new ReplicatedPostgres(primary, standby, folder);
    await servers.setSynchronous(true);
    return servers;
  }

  async setSynchronous(isSynchronous: boolean): Promise<void> {
    const names = isSynchronous ? '*' : '';
    await this.primary.query(`alter system set synchronous_standby_names = '${names}'`);
    await this.primary.query('select pg_reload_conf()');
    const wanted = isSynchronous ? 'sync' : 'async';
    const states = `select 1 from pg_stat_replication where sync_state = '${wanted}'`;
    await until(`the standby is ${wanted}`, async () => {
      return (await this.primary.query(states)).length === 1;
    });
  }

  /** One URL that names the primary and the standby. */
  url(database: string): string {
    return this.primary.url(database).replace(/(:\d+)\//, `$1,127.0.0.1:${this.standby.port}/`);
  }

  /** Until the standby shows what is committed now. */
  async untilReplayed(): Promise<void> {
    const current = 'select pg_current_wal_lsn()::text as lsn';
    const [row] = await this.primary.query<{ readonly lsn: string }>(current);
    const replayed = `select 1 where pg_last_wal_replay_lsn() >= '${row?.lsn}'`;
    await until('the standby has replayed the log', async () => {
      return (await this.standby.query(replayed)).length === 1;
    });
  }

  async stop(): Promise<void> {
    await Promise.all([this.primary.stop(), this.standby.stop()]);
    await removeFolder(this.folder);
  }
}
