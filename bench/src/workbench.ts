// The database of a part of the benchmark, and the CPU time of its PostgreSQL.
import pg from 'pg';
import { connect, migrate } from '@tessera/database';
import { cpuOfTree } from './process-usage.js';

export type Print = (line: string) => void;

export class Workbench {
  private constructor(
    readonly databaseUrl: string,
    readonly pool: pg.Pool,
    private readonly postmaster: number,
    /** The directory of another built checkout to compare with. */
    readonly otherBuild: string | undefined,
  ) {}

  static async open(url: string, name: string, otherBuild?: string): Promise<Workbench> {
    const admin = new pg.Client({ connectionString: url });
    await admin.connect();
    await admin.query(`create database bench_${name}`);
    const { rows } = await admin.query<{ pid: string }>(
      `select pg_read_file('postmaster.pid') as pid`,
    );
    await admin.end();
    const databaseUrl = url.replace('/tessera?', `/bench_${name}?`);
    const dataSource = await connect({ url: databaseUrl, applicationName: 'bench' });
    await migrate(dataSource);
    await dataSource.destroy();
    const pool = new pg.Pool({ connectionString: databaseUrl, max: 2 });
    const postmaster = Number(rows[0]?.pid.split('\n', 1)[0]);
    return new Workbench(databaseUrl, pool, postmaster, otherBuild);
  }

  /** Creates an empty database for a program that migrates it itself. @returns its URL */
  async createDatabase(name: string): Promise<string> {
    await this.pool.query(`create database bench_${name}`);
    return this.databaseUrl.replace(/\/bench_\w+\?/, `/bench_${name}?`);
  }

  /** CPU time of all PostgreSQL processes so far, in milliseconds. */
  databaseCpu(): number {
    return cpuOfTree(this.postmaster);
  }

  async close(): Promise<void> {
    await this.pool.end();
  }
}
