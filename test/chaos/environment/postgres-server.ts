// A server of Debian's PostgreSQL on a machine and a disk of its own.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { freePort } from '../../support/free-port.js';
import { Program } from '../../support/process.js';
import { isAlive, signalAll, stopTree, treeOf } from '../../support/process-table.js';
import { until } from '../../support/until.js';
import type { DatabaseMember, Machine } from '../target.js';
import type { ServerDisk } from './disk.js';
import type { Network, Place } from './network.js';

const run = promisify(execFile);
export const POSTGRES = '/usr/lib/postgresql/15/bin';
const DATABASE = 'tessera';
/** PostgreSQL refuses to run as root. */
const USER = ['setpriv', '--reuid=postgres', '--regid=postgres', '--init-groups'];
const SETTINGS = [
  'unix_socket_directories=',
  'max_connections=100',
  'max_wal_size=128MB',
  'wal_keep_size=64MB',
  // A peer that is gone is noticed soon.
  'wal_sender_timeout=3s',
  'wal_receiver_timeout=3s',
  'log_min_messages=fatal',
];

interface Options {
  readonly place: Place;
  readonly disk: ServerDisk;
  readonly machine: Machine;
}

export class PostgresServer implements DatabaseMember {
  private program: Program | undefined;
  private stopped: readonly number[] = [];

  private constructor(
    private readonly options: Options,
    readonly port: number,
  ) {}

  static async create(network: Network, place: Place, disk: ServerDisk): Promise<PostgresServer> {
    let undoSlow = (): Promise<void> => Promise.resolve();
    const { full, slow } = disk;
    const machine: Machine = {
      partition: network.canFail ? () => network.partition(place) : undefined,
      lose: network.canFail ? (percent) => network.lose(place, percent) : undefined,
      reconnect: () => network.reconnect(place),
      fillDisk: full && (() => full.fill()),
      freeDisk: async () => full?.free(),
      slowDisk:
        slow &&
        (async () => {
          undoSlow = await slow(server.pids);
        }),
      hastenDisk: () => undoSlow(),
    };
    const server = new PostgresServer({ place, disk, machine }, await freePort());
    return server;
  }

  get name(): string {
    return this.options.place.name;
  }

  get host(): string {
    return this.options.place.address;
  }

  get machine(): Machine {
    return this.options.machine;
  }

  get pids(): readonly number[] {
    return this.program?.isRunning === true ? treeOf(this.program.pid) : [];
  }

  async initialise(): Promise<void> {
    const auth = ['--auth=trust', '--username=postgres', '--encoding=UTF8', '--locale=C'];
    await this.execute('initdb', ['-D', this.data, ...auth]);
    const lines = [`host all all all trust`, `host replication all all trust`].join('\\n');
    await run('sh', ['-c', `printf '${lines}\\n' >> '${this.data}/pg_hba.conf'`]);
  }

  /** Copies the data of a primary, and becomes its standby at the next start. */
  async copyFrom(primary: PostgresServer): Promise<void> {
    await rm(this.data, { recursive: true, force: true });
    const source = `host=${primary.host} port=${primary.port} user=postgres`;
    const args = ['-D', this.data, '-d', source, '-R', '-X', 'stream', '--checkpoint=fast'];
    await this.execute('pg_basebackup', args);
  }

  async start(): Promise<void> {
    const settings = [...SETTINGS, `port=${this.port}`, `listen_addresses=${this.host}`];
    if (this.program?.isRunning === true) return;
    const args = ['-D', this.data, ...settings.flatMap((each) => ['-c', each])];
    this.program = Program.run(this.command('postgres', args), { cwd: '/' });
    await until(`${this.name} answers`, async () => {
      if (this.program?.isRunning !== true) throw new Error(this.program?.stderr);
      return (await this.query('select 1', 'postgres').catch(() => [])).length === 1;
    });
  }

  async kill(): Promise<void> {
    if (this.program?.isRunning !== true) return;
    // Stopped first, so that it starts no process meanwhile.
    const pids = stopTree(this.program.pid);
    signalAll(pids, 'SIGKILL');
    this.stopped = [];
    await this.program.ended;
    await until(`${this.name} is gone`, () => !pids.some(isAlive));
  }

  pause(): void {
    if (this.program?.isRunning === true) this.stopped = stopTree(this.program.pid);
  }

  resume(): void {
    signalAll(this.stopped, 'SIGCONT');
    this.stopped = [];
  }

  async query<T extends object>(statement: string, database = DATABASE): Promise<readonly T[]> {
    const login = { host: this.host, port: this.port, user: 'postgres', database };
    const client = new pg.Client({ ...login, connectionTimeoutMillis: 1_000 });
    client.on('error', () => {});
    try {
      await client.connect();
      return (await client.query<T>(statement)).rows;
    } finally {
      await client.end().catch(() => {});
    }
  }

  private get data(): string {
    return join(this.options.disk.folder, 'data');
  }

  private command(program: string, args: readonly string[]): readonly string[] {
    const user = process.getuid?.() === 0 ? USER : [];
    return [...this.options.place.prefix, ...user, join(POSTGRES, program), ...args];
  }

  private async execute(program: string, args: readonly string[]): Promise<void> {
    const [file = '', ...rest] = this.command(program, args);
    await run(file, rest, { cwd: '/' });
  }
}

export const hasPostgres = existsSync(POSTGRES);
