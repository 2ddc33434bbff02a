// A server of the PostgreSQL that Debian installs.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { appendFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { freePort } from './free-port.js';
import { isAlive, signalAll, stopTree, treeOf } from './process-table.js';
import { Program } from './process.js';
import { until } from './until.js';

const run = promisify(execFile);

/** Path of the program: Debian 12 has PostgreSQL 15. */
export const { POSTGRESQL = '/usr/lib/postgresql/15/bin/postgres' } = process.env;
export const hasPostgresql = existsSync(POSTGRESQL);

const SETTINGS = ['unix_socket_directories=', 'log_min_messages=fatal'];
/** PostgreSQL refuses to run as root. */
const USER = ['setpriv', '--reuid=postgres', '--regid=postgres', '--init-groups'];

export interface ServerOptions {
  /** Folder of the data, in a folder that is {@link giveToPostgres given to PostgreSQL}. */
  readonly data: string;
  /** Of the machine; default 127.0.0.1. */
  readonly host?: string;
  /** The words before a command that run it on the machine. */
  readonly prefix?: readonly string[];
  /** Such as `fsync=off`. */
  readonly settings?: readonly string[];
}

export class PostgresServer {
  private program: Program | undefined;
  private paused: readonly number[] = [];

  constructor(
    private readonly options: ServerOptions,
    readonly port: number,
  ) {}

  static async create(options: ServerOptions): Promise<PostgresServer> {
    return new PostgresServer(options, await freePort());
  }

  get host(): string {
    return this.options.host ?? '127.0.0.1';
  }

  /** Of its first process, while it runs. */
  get pid(): number {
    return this.program?.isRunning === true ? this.program.pid : 0;
  }

  /** Of all its processes. */
  get pids(): readonly number[] {
    return this.pid === 0 ? [] : treeOf(this.pid);
  }

  url(database = 'postgres'): string {
    return `postgresql://postgres@${this.host}:${this.port}/${database}?sslmode=disable`;
  }

  /** Makes an empty cluster, whose role `postgres` needs no password. */
  async initialise(): Promise<void> {
    const options = ['--username=postgres', '--auth=trust', '--encoding=UTF8', '--locale=C'];
    await this.execute('initdb', ['-D', this.options.data, '--no-sync', ...options]);
    const rules = ['all', 'replication'].map((database) => `host ${database} all all trust\n`);
    await appendFile(join(this.options.data, 'pg_hba.conf'), rules.join(''));
  }

  /** Copies the data of a primary, and becomes its standby at the next start. */
  async copyFrom(primary: PostgresServer): Promise<void> {
    const { data } = this.options;
    await rm(data, { recursive: true, force: true });
    const source = `host=${primary.host} port=${primary.port} user=postgres`;
    await this.execute('pg_basebackup', ['-D', data, '-d', source, '-R', '--checkpoint=fast']);
  }

  /** Returns when it answers. */
  async start(): Promise<void> {
    if (this.program?.isRunning === true) return;
    const { data, settings = [] } = this.options;
    const own = [...SETTINGS, `port=${this.port}`, `listen_addresses=${this.host}`];
    const args = [...own, ...settings].flatMap((each) => ['-c', each]);
    const program = Program.run(this.command('postgres', ['-D', data, ...args]), { cwd: '/' });
    this.program = program;
    await until('PostgreSQL answers', async () => {
      if (!program.isRunning) throw new Error(`PostgreSQL has ended: ${program.stderr}`);
      return (await this.query('select 1').catch(() => [])).length === 1;
    });
  }

  async promote(): Promise<void> {
    await this.query('select pg_promote()');
  }

  pause(): void {
    if (this.pid !== 0) this.paused = stopTree(this.pid);
  }

  resume(): void {
    signalAll(this.paused, 'SIGCONT');
    this.paused = [];
  }

  /** Ends it at once, without a checkpoint. Its shared memory is freed. */
  async stop(): Promise<void> {
    this.resume();
    if (this.program?.isRunning === true) await this.program.stop('SIGQUIT');
  }

  async kill(): Promise<void> {
    if (this.program?.isRunning !== true) return;
    // Stopped first, so that it starts no process meanwhile.
    const pids = stopTree(this.pid);
    signalAll(pids, 'SIGKILL');
    this.paused = [];
    await this.program.ended;
    await until('PostgreSQL is gone', () => !pids.some(isAlive));
  }

  /** Runs a statement on a new connection, which may take 5 s to be made. @returns the rows */
  async query<T extends object>(statement: string, database?: string): Promise<readonly T[]> {
    const client = new pg.Client({
      connectionString: this.url(database),
      connectionTimeoutMillis: 5_000,
    });
    client.on('error', () => {});
    try {
      await client.connect();
      return (await client.query<T>(statement)).rows;
    } finally {
      await client.end().catch(() => {});
    }
  }

  private command(program: string, args: readonly string[]): readonly string[] {
    const user = process.getuid?.() === 0 ? USER : [];
    const path = join(dirname(POSTGRESQL), program);
    return [...(this.options.prefix ?? []), ...user, path, ...args];
  }

  private async execute(program: string, args: readonly string[]): Promise<void> {
    const [file = '', ...rest] = this.command(program, args);
    await run(file, rest, { cwd: '/' });
  }
}

/** Makes the user of PostgreSQL the owner of a folder. */
export async function giveToPostgres(folder: string): Promise<void> {
  if (process.getuid?.() === 0) await run('chown', ['postgres:postgres', folder]);
}
