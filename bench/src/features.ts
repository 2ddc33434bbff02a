// What the audit trail, the metrics, the operator's API and traces cost: cycles with them beside cycles with none, in one run.
// With `--with`, also beside those of another build.
import { createServer } from 'node:http';
import pg from 'pg';
import { type Contender, inTurn, startAll, stopAll, type RoundOptions } from './contenders.js';
import { measure, medianRound, row, type Measured } from './cycles.js';
import { startSso, THIS_BUILD } from './processes.js';
import { addSessions, touchSessions, vacuumAndCheckpoint } from './sessions.js';
import { meanShare, medianBy } from './statistics.js';
import type { Print, Workbench } from './workbench.js';

const PORT = 18_090;
const MANAGEMENT_PORT = 18_095;
const RECEIVER_PORT = 18_097;
const CONNECTIONS = [1, 8, 32];
/** Milliseconds at the most connections. What V8 has compiled until then decides about the rounds at one connection, too. */
const WARM_UP = 6_000;
/** Short, so that other work of the machine slows all contenders alike. */
const SHORT_ROUNDS: RoundOptions = { rounds: 10, milliseconds: 700, warmUp: 1_000 };
const SESSIONS = 1_000;
/** Two processes with the same settings differ by up to 8 %, by what V8 compiles. So each contender is started this often. */
const PROCESSES = 12;

const SETTINGS: Readonly<Record<string, readonly string[]>> = {
  on: [`--management.port=${MANAGEMENT_PORT}`, '--sso.management.token=bench-0123456789abcdef'],
  'with tickets in the audit': [
    `--management.port=${MANAGEMENT_PORT + 1}`,
    '--sso.management.token=bench-0123456789abcdef',
    '--audit.tickets=true',
  ],
  'traces alone': [
    '--management.port=0',
    '--audit.enabled=false',
    '--tracing.enabled=true',
    `--tracing.otlp.url=http://127.0.0.1:${RECEIVER_PORT}/v1/traces`,
  ],
  off: ['--management.port=0', '--audit.enabled=false'],
};

/** The other build, with its own defaults. */
const OLD = 'old';

/** A contender's build and settings, and its database with sessions. */
interface Setup {
  readonly build: string;
  readonly settings: readonly string[];
  readonly url: string;
  readonly pool: pg.Pool;
  readonly tgts: readonly string[];
}

/** The rounds of each process, by {@link keyOf}. */
type Results = Map<string, (readonly Measured[])[]>;

/** Takes the spans, and does nothing with them. */
const receiver = createServer((request, response) => {
  request.resume().on('end', () => response.end('{}'));
});

export async function measureFeatures(workbench: Workbench, print: Print): Promise<void> {
  receiver.listen(RECEIVER_PORT, '127.0.0.1');
  const { otherBuild } = workbench;
  const setups = new Map<string, Setup>();
  const results: Results = new Map();
  try {
    for (const [name, settings] of Object.entries(SETTINGS)) {
      setups.set(name, await setUp(workbench, setups.size, { build: THIS_BUILD, settings }));
    }
    if (otherBuild !== undefined) {
      setups.set(OLD, await setUp(workbench, setups.size, { build: otherBuild, settings: [] }));
    }
    for (let each = 0; each < PROCESSES; each += 1) {
      // In turns, so that none is always the first.
      const inOrder = each % 2 === 0 ? [...setups] : [...setups].toReversed();
      await measureProcesses(workbench, new Map(inOrder), results);
    }
    printTable(results, print);
  } finally {
    await Promise.all([...setups.values()].map(({ pool }) => pool.end()));
    receiver.close();
  }
}

async function setUp(
  workbench: Workbench,
  number: number,
  { build, settings }: Pick<Setup, 'build' | 'settings'>,
): Promise<Setup> {
  const url = await workbench.createDatabase(`features_${number}`);
  // The first start creates the tables.
  await (await startSso(url, PORT, [], build)).stop();
  const pool = new pg.Pool({ connectionString: url, max: 2 });
  // At the end PostgreSQL may stop before it has read that a connection ends.
  pool.on('error', () => {});
  const tgts = await addSessions(pool, SESSIONS);
  await vacuumAndCheckpoint(pool);
  return { build, settings, url, pool, tgts };
}

/** Starts a process of each contender, and adds its rounds to the results. */
async function measureProcesses(
  workbench: Workbench,
  setups: ReadonlyMap<string, Setup>,
  results: Results,
): Promise<void> {
  const starts = [...setups].map(
    ([name, { url, settings, build }], at) =>
      [name, () => startSso(url, PORT + at, settings, build)] as const,
  );
  const contenders = await startAll(Object.fromEntries(starts));
  try {
    const load = (
      { name, server }: Contender,
      connections: number,
      milliseconds: number,
    ): Promise<Measured> => {
      const { tgts } = setups.get(name) as Setup;
      return measure(workbench, { server, tgts, connections, milliseconds });
    };
    for (const contender of contenders) await load(contender, Math.max(...CONNECTIONS), WARM_UP);
    for (const connections of CONNECTIONS) {
      for (const { pool, tgts } of setups.values()) await touchSessions(pool, tgts);
      const work = (contender: Contender, milliseconds: number): Promise<Measured> =>
        load(contender, connections, milliseconds);
      for (const [name, rounds] of await inTurn(contenders, work, SHORT_ROUNDS)) {
        const key = keyOf(connections, name);
        results.set(key, [...(results.get(key) ?? []), rounds]);
      }
    }
  } finally {
    await stopAll(contenders);
  }
}

/** The median round of all processes, and the shares: each process beside the one that ran with it. */
function printTable(results: Results, print: Print): void {
  print(
    '| connections | | cycles/s | p50 ms | p95 ms | p99 ms | max ms | our CPU µs/cycle | PostgreSQL CPU µs/cycle |',
  );
  print('|---|---|---|---|---|---|---|---|---|');
  for (const connections of CONNECTIONS) {
    const roundsOf = (name: string): (readonly Measured[])[] =>
      results.get(keyOf(connections, name)) ?? [];
    const names = [...Object.keys(SETTINGS), OLD].filter((name) => roundsOf(name).length > 0);
    for (const name of names) print(row(connections, name, medianRound(roundsOf(name).flat())));
    for (const name of names.filter((each) => each === 'off' || each === OLD)) {
      const [on, other] = [roundsOf('on').map(medianOf), roundsOf(name).map(medianOf)];
      const shareOf = (figure: (process: Medians) => number): string =>
        meanShare(on.map((process, at) => figure(process) / figure(other[at] as Medians)));
      const shares = [
        `**${shareOf(({ perSecond }) => perSecond)}** | | | |`,
        shareOf(({ ownCpu }) => ownCpu),
        shareOf(({ databaseCpu }) => databaseCpu),
      ];
      print(`| ${connections} | **on, of ${name}** | ${shares.join(' | ')} |`);
    }
  }
}

type Medians = Pick<Measured, 'perSecond' | 'ownCpu' | 'databaseCpu'>;

/** Of the rounds of one process. */
function medianOf(rounds: readonly Measured[]): Medians {
  const median = (figure: keyof Medians): number =>
    medianBy(rounds, (round) => round[figure])[figure];
  return {
    perSecond: median('perSecond'),
    ownCpu: median('ownCpu'),
    databaseCpu: median('databaseCpu'),
  };
}

function keyOf(connections: number, name: string): string {
  return `${connections} ${name}`;
}
