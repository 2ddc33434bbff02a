// A PostgreSQL with a standby, of the programs that Debian installs. Each server has a port of 127.0.0.1.
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { appendFile, chown } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeFolder, removeFolder } from './folders.js';
import { freePort } from './free-port.js';
import { query } from './query.js';
import { until } from './until.js';

/** Path of the program: Debian 12 has PostgreSQL 15. */
export const { POSTGRESQL = '/usr/lib/postgresql/15/bin/postgres' } = process.env;
export const hasPostgresql = existsSync(POSTGRESQL);

interface Owner {
  readonly uid?: number;
  readonly gid?: number;
}

export class PostgresServer {
  private process: ChildProcess | undefined;

  constructor(
    readonly data: string,
    readonly port: number,
    private readonly owner: Owner,
  ) {}

  /** Of its first process, while it runs. */
  get pid(): number {
    return this.process?.pid ?? 0;
  }

  url(database = 'postgres'): string {
    return `postgresql://postgres@127.0.0.1:${this.port}/${database}?sslmode=disable`;
  }

  /** Returns when it answers. @param settings such as `fsync=off` */
  async start(...settings: readonly string[]): Promise<void> {
    const given = ['listen_addresses=127.0.0.1', `port=${this.port}`, 'unix_socket_directories='];
    const args = [...given, ...settings].flatMap((setting) => ['-c', setting]);
    const options = { ...this.owner, cwd: '/', stdio: 'ignore' } as const;
    this.process = spawn(POSTGRESQL, ['-D', this.data, ...args], options);
    await until('PostgreSQL answers', () => query(this.url(), 'select 1').catch(() => false));
  }

  /** Makes a standby of this server, which is not started. */
  async copyTo(data: string): Promise<PostgresServer> {
    const standby = new PostgresServer(data, await freePort(), this.owner);
    const source = `host=127.0.0.1 port=${this.port} user=postgres application_name=standby`;
    runAs('pg_basebackup', ['--pgdata', data, '--dbname', source, '--checkpoint=fast'], this.owner);
    await appendFile(join(data, 'postgresql.auto.conf'), `primary_conninfo = '${source}'\n`);
    runAs('touch', [join(data, 'standby.signal')], this.owner);
    return standby;
  }

  promote(): Promise<unknown> {
    return query(this.url(), 'select pg_promote()');
  }

  /** Sends the signal to the server and its processes. */
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void {
    spawnSync('pkill', [`-${signal.slice(3)}`, '-P', String(this.process?.pid)]);
    this.process?.kill(signal);
  }

  async stop(signal: 'SIGINT' | 'SIGQUIT' = 'SIGINT'): Promise<void> {
    const ended = this.process;
    this.process = undefined;
    if (ended === undefined || ended.exitCode !== null || ended.signalCode !== null) return;
    ended.kill(signal);
    await once(ended, 'exit');
  }
}

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
    const owner = await ownerOf(folder);
    const data = join(folder, 'primary');
    const cluster = ['--pgdata', data, '--username', 'postgres', '--auth', 'trust', '--no-sync'];
    runAs('initdb', cluster, owner);
    const primary = new PostgresServer(data, await freePort(), owner);
    await primary.start(...settings);
    const standby = await primary.copyTo(join(folder, 'standby'));
    await standby.start(...settings);
    const servers = new ReplicatedPostgres(primary, standby, folder);
    await servers.setSynchronous(true);
    return servers;
  }

  async setSynchronous(isSynchronous: boolean): Promise<void> {
    const url = this.primary.url();
    const name = isSynchronous ? 'standby' : '';
    await query(url, `alter system set synchronous_standby_names = '${name}'`);
    await query(url, 'select pg_reload_conf()');
    const wanted = isSynchronous ? 'sync' : 'async';
    await until(`the standby is ${wanted}`, async () => {
      const [row] = await query(url, 'select sync_state from pg_stat_replication');
      return (row as { readonly sync_state: string } | undefined)?.sync_state === wanted;
    });
  }

  /** One URL that names the primary and the standby. */
  url(database: string): string {
    return this.primary.url(database).replace(/(:\d+)\//, `$1,127.0.0.1:${this.standby.port}/`);
  }

  /** Until the standby shows what is committed now. */
  async untilReplayed(): Promise<void> {
    const [row] = await query(this.primary.url(), 'select pg_current_wal_lsn()::text as lsn');
    const { lsn } = row as { readonly lsn: string };
    const check = `select pg_last_wal_replay_lsn() >= '${lsn}' as replayed`;
    await until('the standby has replayed the log', async () => {
      const [replayed] = await query(this.standby.url(), check);
      return (replayed as { readonly replayed: boolean }).replayed;
    });
  }

  async stop(): Promise<void> {
    await Promise.all([this.primary.stop('SIGQUIT'), this.standby.stop('SIGQUIT')]);
    await removeFolder(this.folder);
  }
}

/** PostgreSQL does not run as root. */
export async function ownerOf(folder: string): Promise<Owner> {
  if (process.getuid?.() !== 0) return {};
  const [uid = 0, gid = 0] = ['-u', '-g'].map((field) =>
    Number(spawnSync('id', [field, 'postgres'], { encoding: 'utf8' }).stdout),
  );
  await chown(folder, uid, gid);
  return { uid, gid };
}

/** @param program of PostgreSQL, or of the system */
export function runAs(program: string, args: readonly string[], owner: Owner): void {
  const beside = join(dirname(POSTGRESQL), program);
  const path = existsSync(beside) ? beside : program;
  const { status, stderr } = spawnSync(path, args, { ...owner, cwd: '/', encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} failed: ${stderr}`);
}
