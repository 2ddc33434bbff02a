// Compares this build with another one in the same run: cycles, requests to the config server, starts and memory.
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { type Exchange, exchangesWith, measure as measureRequests } from './config-exchanges.js';
import { writeRepository } from './config-repository.js';
import { measure, medianRound, row, type Measured } from './cycles.js';
import { residentMegabytes } from './process-usage.js';
import { type Contender, inTurn, startAll, stopAll } from './contenders.js';
import { startConfigServer, startFloor, startSso, THIS_BUILD } from './processes.js';
import { addSessions, touchSessions, vacuumAndCheckpoint } from './sessions.js';
import { startToTicket } from './start.js';
import { medianBy, quantile } from './statistics.js';
import type { Print, Workbench } from './workbench.js';

const PORT = 18_090;
const CONNECTIONS = [1, 8, 32, 64];
const SESSIONS = 1_000;
const STARTS = 7;
/** Two applications run at once. */
const WITHOUT_MANAGEMENT = ['--management.port=0'];

/** @throws Error if no other build is given */
export async function measureComparison(workbench: Workbench, print: Print): Promise<void> {
  const { otherBuild } = workbench;
  if (otherBuild === undefined) throw new Error('compare needs --with and a built checkout');
  const builds = { new: THIS_BUILD, old: otherBuild };
  await compareCycles(workbench, builds, print);
  const directory = await mkdtemp(join(tmpdir(), 'tessera-bench-compare-'));
  try {
    await compareConfig(directory, builds, print);
    await compareStarts(builds, print);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

type Builds = Readonly<Record<'new' | 'old', string>>;

async function compareCycles(workbench: Workbench, builds: Builds, print: Print): Promise<void> {
  const url = workbench.databaseUrl;
  // A build refuses a database that a newer one has migrated.
  const oldUrl = await workbench.createDatabase('compare_old');
  const contenders = await startAll({
    new: () => startSso(url, PORT, WITHOUT_MANAGEMENT, builds.new),
    old: () => startSso(oldUrl, PORT + 1, WITHOUT_MANAGEMENT, builds.old),
    floor: () => startFloor(url),
  });
  const pools = { new: workbench.pool, old: new pg.Pool({ connectionString: oldUrl, max: 2 }) };
  const tgts = {
    new: await addSessions(pools.new, SESSIONS),
    old: await addSessions(pools.old, SESSIONS),
  };
  await vacuumAndCheckpoint(pools.new);
  await vacuumAndCheckpoint(pools.old);
  print(
    '| connections | | cycles/s | p50 ms | p95 ms | p99 ms | max ms | our CPU µs/cycle | PostgreSQL CPU µs/cycle |',
  );
  print('|---|---|---|---|---|---|---|---|---|');
  try {
    for (const connections of CONNECTIONS) {
      const rounds = await inTurn(contenders, async ({ name, server }, milliseconds) => {
        const database = name === 'old' ? 'old' : 'new';
        await touchSessions(pools[database], tgts[database]);
        return measure(workbench, { server, tgts: tgts[database], connections, milliseconds });
      });
      const medians = contenders.map(({ name }) => medianRound(rounds.get(name) ?? []));
      for (const [index, { name }] of contenders.entries()) {
        print(row(connections, name, medians[index] as Measured));
      }
      const [ours = 0, old = 1, floor = 1] = medians.map(({ perSecond }) => perSecond);
      const shares = `${percent(ours / old)} of old, ${percent(ours / floor)} of the floor`;
      print(`| ${connections} | **new** | **${shares}** | | | | | | |`);
    }
    printMemory(contenders.slice(0, 2), 'the SSO application after the load', print);
  } finally {
    await pools.old.end();
    await stopAll(contenders);
  }
}

async function compareConfig(directory: string, builds: Builds, print: Print): Promise<void> {
  await writeRepository(directory);
  const contenders = await startAll({
    new: () => startConfigServer(directory, PORT, WITHOUT_MANAGEMENT, builds.new),
    old: () => startConfigServer(directory, PORT + 1, WITHOUT_MANAGEMENT, builds.old),
  });
  print('\n| request | connections | | requests/s | p50 ms | p99 ms | CPU µs/request |');
  print('|---|---|---|---|---|---|---|');
  try {
    for (const exchange of await exchangesWith(PORT, PORT + 1)) {
      for (const connections of CONNECTIONS.slice(0, 3)) {
        await compareRequests(contenders, exchange, connections, print);
      }
    }
    printMemory(contenders, 'the config server after the load', print);
  } finally {
    await stopAll(contenders);
  }
}

async function compareRequests(
  contenders: readonly Contender[],
  { name: request, ours: exchange }: Exchange,
  connections: number,
  print: Print,
): Promise<void> {
  const rounds = await inTurn(contenders, ({ server }, milliseconds) =>
    measureRequests(server, { connections, milliseconds, requests: [exchange] }),
  );
  for (const { name } of contenders) {
    const median = medianBy(rounds.get(name) ?? [], ({ perSecond }) => perSecond);
    const times = [median.p50, median.p99].map((time) => time.toFixed(2)).join(' | ');
    const figures = `${median.perSecond.toFixed(0)} | ${times} | ${median.cpu.toFixed(0)}`;
    print(`| ${request} | ${connections} | ${name} | ${figures} |`);
  }
}

async function compareStarts(builds: Builds, print: Print): Promise<void> {
  const names = ['new', 'old'] as const;
  const times = { new: [] as number[], old: [] as number[] };
  const directories = { new: await dataDirectory(), old: await dataDirectory() };
  for (const name of names) await startToTicket(directories[name], builds[name]);
  for (let start = 0; start < STARTS; start += 1) {
    for (const name of names) {
      times[name].push(await startToTicket(directories[name], builds[name]));
    }
  }
  await Promise.all(names.map((name) => rm(directories[name], { recursive: true, force: true })));
  print('');
  for (const [name, each] of Object.entries(times)) {
    const all = each.map((time) => time.toFixed(0)).join(', ');
    print(
      `- ${name}: start to the first ticket ${all} ms, median ${quantile(each, 0.5).toFixed(0)} ms`,
    );
  }
}

/** PostgreSQL runs as another user than root, and needs access. */
async function dataDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'tessera-bench-compare-'));
  await chmod(directory, 0o755);
  return directory;
}

function printMemory(contenders: readonly Contender[], when: string, print: Print): void {
  const sizes = contenders.map(
    ({ name, server }) => `${name} ${residentMegabytes(server.pid).toFixed(0)} MB`,
  );
  print(`\nResident memory of ${when}: ${sizes.join(', ')}.`);
}

function percent(share: number): string {
  return `${(share * 100).toFixed(0)} %`;
}
