// Measures cycles and logins with 1, 2 and 4 nodes behind HAProxy, with an asynchronous and a synchronous standby.
import pg from 'pg';
import { connect, migrate } from '@tessera/database';
import { ReplicatedPostgres } from '../../test/support/replicated-postgres.js';
import { HaProxy } from './haproxy.js';
import { load } from './load-generator.js';
import { loginsPerSecond, STATIC } from './logins.js';
import { cpuOf, cpuOfTree } from './process-usage.js';
import { startSso, type Server } from './processes.js';
import { addSessions, touchSessions, vacuumAndCheckpoint } from './sessions.js';
import { medianBy } from './statistics.js';
import type { Print, Workbench } from './workbench.js';

const NODES = [1, 2, 4];
const CONNECTIONS = [8, 32];
const ROUNDS = 3;
const MILLISECONDS = 4_000;
const WARM_UP = 6_000;
const SESSIONS = 1_000;
const PROXY_PORT = 18_100;

/** CPU time so far, in milliseconds. */
interface Cpu {
  readonly nodes: number;
  readonly primary: number;
  readonly standby: number;
  readonly proxy: number;
}

interface Measured {
  readonly perSecond: number;
  /** Microseconds for each cycle or login. */
  readonly cost: Cpu;
}

/** Uses PostgreSQL of Debian, not that of the workbench: the embedded one has no program for standbys. */
export async function measureNodes(_workbench: Workbench, print: Print): Promise<void> {
  const servers = await ReplicatedPostgres.start({ durable: true });
  const admin = new pg.Pool({ connectionString: servers.primary.url(), max: 1 });
  await admin.query('create database bench');
  const url = servers.primary.url('bench');
  const dataSource = await connect({ url, applicationName: 'bench' });
  await migrate(dataSource);
  await dataSource.destroy();
  const pool = new pg.Pool({ connectionString: url, max: 2 });
  try {
    const tgts = await addSessions(pool, SESSIONS);
    await vacuumAndCheckpoint(pool);
    print(
      '| nodes | standby | load | /s | nodes CPU µs | primary CPU µs | standby CPU µs | HAProxy CPU µs |',
    );
    print('|---|---|---|---|---|---|---|---|');
    for (const standby of ['asynchronous', 'synchronous'] as const) {
      await servers.setSynchronous(standby === 'synchronous');
      for (const count of NODES) {
        await measureCount({ count, standby, url, pool, tgts, servers, print });
      }
    }
  } finally {
    await Promise.all([pool.end(), admin.end()]);
    await servers.stop();
  }
}

interface Setup {
  readonly count: number;
  readonly standby: string;
  readonly url: string;
  readonly pool: pg.Pool;
  readonly tgts: readonly string[];
  readonly servers: ReplicatedPostgres;
  readonly print: Print;
}

async function measureCount(setup: Setup): Promise<void> {
  const { count, standby, url, servers, print } = setup;
  const nodes: Server[] = [];
  for (let each = 0; each < count; each += 1) nodes.push(await startNode(url, each));
  const proxy = await HaProxy.start(
    PROXY_PORT,
    nodes.map(({ port }) => port),
  );
  const cpu = (): Cpu => ({
    nodes: nodes.reduce((sum, { pid }) => sum + cpuOf(pid), 0),
    primary: cpuOfTree(servers.primary.pid),
    standby: cpuOfTree(servers.standby.pid),
    proxy: cpuOfTree(proxy.pid),
  });
  try {
    for (const [name, run] of loadsOf(setup)) {
      await run(WARM_UP * count);
      const { perSecond, cost } = await median(() => costOf(cpu, () => run(MILLISECONDS)));
      const figures = [perSecond, cost.nodes, cost.primary, cost.standby, cost.proxy];
      const columns = figures.map((each) => each.toFixed(0)).join(' | ');
      print(`| ${count} | ${standby} | ${name} | ${columns} |`);
    }
  } finally {
    await proxy.stop();
    await Promise.all(nodes.map((node) => node.stop()));
  }
}

interface Done {
  readonly perSecond: number;
  /** Cycles or logins. */
  readonly count: number;
}

type Load = (milliseconds: number) => Promise<Done>;

function loadsOf({ pool, tgts }: Setup): readonly (readonly [name: string, load: Load])[] {
  const cycles = CONNECTIONS.map((connections) => {
    const run: Load = async (milliseconds) => {
      await touchSessions(pool, tgts);
      const request = { port: PROXY_PORT, prefix: '/cas', connections, milliseconds, tgts };
      const { failed, perSecond, cycles: count } = await load(request);
      if (failed > 0) throw new Error(`${failed} cycles failed`);
      return { perSecond, count };
    };
    return [`cycles, ${connections} connections`, run] as const;
  });
  const logins: Load = async (milliseconds) => {
    const perSecond = await loginsPerSecond(PROXY_PORT, milliseconds, STATIC);
    return { perSecond, count: (perSecond * milliseconds) / 1_000 };
  };
  return [...cycles, ['logins, 8 connections', logins]];
}

function startNode(url: string, index: number): Promise<Server> {
  const settings = ['--sso.authentication.handlers=static', '--management.port=0'];
  return startSso(url, PROXY_PORT + 1 + index, settings);
}

async function costOf(cpu: () => Cpu, work: () => Promise<Done>): Promise<Measured> {
  const before = cpu();
  const { perSecond, count } = await work();
  const after = cpu();
  const price = (of: keyof Cpu): number => ((after[of] - before[of]) * 1_000) / count;
  const cost = {
    nodes: price('nodes'),
    primary: price('primary'),
    standby: price('standby'),
    proxy: price('proxy'),
  };
  return { perSecond, cost };
}

async function median(measure: () => Promise<Measured>): Promise<Measured> {
  const rounds: Measured[] = [];
  for (let round = 0; round < ROUNDS; round += 1) rounds.push(await measure());
  return medianBy(rounds, ({ perSecond }) => perSecond);
}
