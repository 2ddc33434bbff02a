// What the audit trail, the metrics, the operator's API and traces cost: cycles with them beside cycles with none, in one run.
import { createServer } from 'node:http';
import pg from 'pg';
import { type Contender, inTurn, startAll, stopAll } from './contenders.js';
import { measure, medianRound, row, type Measured } from './cycles.js';
import { startSso } from './processes.js';
import { addSessions, touchSessions, vacuumAndCheckpoint } from './sessions.js';
import type { Print, Workbench } from './workbench.js';

const PORT = 18_090;
const MANAGEMENT_PORT = 18_095;
const RECEIVER_PORT = 18_097;
const CONNECTIONS = [1, 8, 32];
/** Milliseconds at the most connections. What V8 has compiled until then decides about the rounds at one connection, too. */
const WARM_UP = 12_000;
const SESSIONS = 1_000;
/** Two processes with the same settings differ by up to 8 %, by what V8 compiles. So each contender is started this often. */
const PROCESSES = 5;
const ROUNDS = 2;

const SETTINGS = {
  on: [`--management.port=${MANAGEMENT_PORT}`, '--sso.management.token=bench-0123456789abcdef'],
  'without tickets in the audit': [
    `--management.port=${MANAGEMENT_PORT + 1}`,
    '--sso.management.token=bench-0123456789abcdef',
    '--audit.tickets=false',
  ],
  'traces alone': [
    '--management.port=0',
    '--audit.enabled=false',
    '--tracing.enabled=true',
    `--tracing.otlp.url=http://127.0.0.1:${RECEIVER_PORT}/v1/traces`,
  ],
  off: ['--management.port=0', '--audit.enabled=false'],
};

/** The database of a contender, with its sessions. */
interface Database {
  readonly url: string;
  readonly pool: pg.Pool;
  readonly tgts: readonly string[];
}

/** Takes the spans, and does nothing with them. */
const receiver = createServer((request, response) => {
  request.resume().on('end', () => response.end('{}'));
});

export async function measureFeatures(workbench: Workbench, print: Print): Promise<void> {
  receiver.listen(RECEIVER_PORT, '127.0.0.1');
  const databases = new Map<string, Database>();
  const results = new Map<string, Measured[]>();
  try {
    for (const name of Object.keys(SETTINGS)) {
      databases.set(name, await createDatabase(workbench, `features_${databases.size}`));
    }
    for (let each = 0; each < PROCESSES; each += 1) {
      // In turns, so that none is always the first.
      const inOrder = each % 2 === 0 ? [...databases] : [...databases].toReversed();
      await measureProcesses(workbench, new Map(inOrder), results);
    }
    printTable(results, print);
  } finally {
    await Promise.all([...databases.values()].map(({ pool }) => pool.end()));
    receiver.close();
  }
}

async function createDatabase(workbench: Workbench, name: string): Promise<Database> {
  const url = await workbench.createDatabase(name);
  // The first start creates the tables.
  await (await startSso(url, PORT)).stop();
  const pool = new pg.Pool({ connectionString: url, max: 2 });
  // At the end PostgreSQL may stop before it has read that a connection ends.
  pool.on('error', () => {});
  const tgts = await addSessions(pool, SESSIONS);
  await vacuumAndCheckpoint(pool);
  return { url, pool, tgts };
}

/** Starts a process of each contender, and adds its rounds to the results. */
async function measureProcesses(
  workbench: Workbench,
  databases: ReadonlyMap<string, Database>,
  results: Map<string, Measured[]>,
): Promise<void> {
  const starts = [...databases].map(([name, { url }], at) => {
    const settings = SETTINGS[name as keyof typeof SETTINGS];
    return [name, () => startSso(url, PORT + at, settings)] as const;
  });
  const contenders = await startAll(Object.fromEntries(starts));
  try {
    const load = async (
      { name, server }: Contender,
      connections: number,
      milliseconds: number,
    ): Promise<Measured> => {
      const { pool, tgts } = databases.get(name) as Database;
      await touchSessions(pool, tgts);
      return measure(workbench, { server, tgts, connections, milliseconds });
    };
    for (const contender of contenders) await load(contender, Math.max(...CONNECTIONS), WARM_UP);
    for (const connections of CONNECTIONS) {
      const work = (contender: Contender, milliseconds: number): Promise<Measured> =>
        load(contender, connections, milliseconds);
      for (const [name, rounds] of await inTurn(contenders, work, ROUNDS)) {
        const key = keyOf(connections, name);
        results.set(key, [...(results.get(key) ?? []), ...rounds]);
      }
    }
  } finally {
    await stopAll(contenders);
  }
}

/** The shares are those of the median rounds. */
function printTable(results: ReadonlyMap<string, readonly Measured[]>, print: Print): void {
  print(
    '| connections | | cycles/s | p50 ms | p95 ms | p99 ms | max ms | our CPU µs/cycle | PostgreSQL CPU µs/cycle |',
  );
  print('|---|---|---|---|---|---|---|---|---|');
  for (const connections of CONNECTIONS) {
    const medianOf = (name: string): Measured =>
      medianRound(results.get(keyOf(connections, name)) ?? []);
    for (const name of Object.keys(SETTINGS)) print(row(connections, name, medianOf(name)));
    const share = ((medianOf('on').perSecond / medianOf('off').perSecond) * 100).toFixed(1);
    print(`| ${connections} | **on, of off** | **${share} %** | | | | | | |`);
  }
}

function keyOf(connections: number, name: string): string {
  return `${connections} ${name}`;
}
