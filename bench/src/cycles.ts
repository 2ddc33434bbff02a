// Measures issue-and-validate cycles at several connections, alternating between the application and its floor.
import { cpuOf, residentMegabytes } from './process-usage.js';
import { load, type LoadResult } from './load-generator.js';
import { startFloor, startSso, type Server } from './processes.js';
import { addSessions, vacuumAndCheckpoint, touchSessions } from './sessions.js';
import { medianBy } from './statistics.js';
import type { Print, Workbench } from './workbench.js';

const CONNECTIONS = [1, 8, 32, 64];
const ROUNDS = 5;
const MILLISECONDS = 5_000;
/** Milliseconds before the rounds of each number of connections, until V8 has compiled. */
const WARM_UP = 8_000;
const SESSIONS = 1_000;

export interface Measured extends LoadResult {
  /** CPU microseconds per cycle. */
  readonly ownCpu: number;
  readonly databaseCpu: number;
}

export async function measureCycles(workbench: Workbench, print: Print): Promise<void> {
  const tgts = await addSessions(workbench.pool, SESSIONS);
  await vacuumAndCheckpoint(workbench.pool);
  const sso = await startSso(workbench.databaseUrl, 18_080);
  const floor = await startFloor(workbench.databaseUrl);
  try {
    print(
      '| connections | | cycles/s | p50 ms | p95 ms | p99 ms | max ms | our CPU µs/cycle | PostgreSQL CPU µs/cycle |',
    );
    print('|---|---|---|---|---|---|---|---|---|');
    for (const connections of CONNECTIONS) {
      for (const server of [sso, floor]) {
        await measure(workbench, { server, tgts, connections, milliseconds: WARM_UP });
      }
      const rounds: { sso: Measured; floor: Measured }[] = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        await touchSessions(workbench.pool, tgts);
        const run = { tgts, connections, milliseconds: MILLISECONDS };
        rounds.push({
          floor: await measure(workbench, { ...run, server: floor }),
          sso: await measure(workbench, { ...run, server: sso }),
        });
      }
      const ours = medianRound(rounds.map((round) => round.sso));
      const bare = medianRound(rounds.map((round) => round.floor));
      print(row(connections, 'Tessera', ours));
      print(row(connections, 'floor', bare));
      const share = ((ours.perSecond / bare.perSecond) * 100).toFixed(0);
      print(`| ${connections} | **share of the floor** | **${share} %** | | | | | | |`);
    }
    const megabytes = residentMegabytes(sso.pid).toFixed(0);
    print(`\nResident memory of the application after the load: ${megabytes} MB.`);
  } finally {
    await Promise.all([sso.stop(), floor.stop()]);
  }
}

export interface Run {
  readonly server: Server;
  readonly tgts: readonly string[];
  readonly connections: number;
  readonly milliseconds: number;
  readonly services?: number;
}

/** @throws Error if a cycle failed */
export async function measure(workbench: Workbench, run: Run): Promise<Measured> {
  const { server, ...request } = run;
  const before = { own: cpuOf(server.pid), database: workbench.databaseCpu() };
  const result = await load({ port: server.port, prefix: server.prefix, ...request });
  if (result.failed > 0) throw new Error(`${result.failed} of ${result.cycles} cycles failed`);
  const perCycle = (cost: number): number => (cost * 1_000) / result.cycles;
  return {
    ...result,
    ownCpu: perCycle(cpuOf(server.pid) - before.own),
    databaseCpu: perCycle(workbench.databaseCpu() - before.database),
  };
}

/** The round with the median throughput. */
export function medianRound(rounds: readonly Measured[]): Measured {
  return medianBy(rounds, ({ perSecond }) => perSecond);
}

export function row(
  connections: number,
  name: string,
  { perSecond, p50, p95, p99, max, ...cpu }: Measured,
): string {
  const times = [p50, p95, p99, max].map((time) => time.toFixed(2)).join(' | ');
  const costs = `${cpu.ownCpu.toFixed(0)} | ${cpu.databaseCpu.toFixed(0)}`;
  return `| ${connections} | ${name} | ${perSecond.toFixed(0)} | ${times} | ${costs} |`;
}
