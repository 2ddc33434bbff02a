// Measures cycles with 10,000 services that are used in turn: without required attributes, with exact values, and with
// patterns.
import pg from 'pg';
import { connect, migrate } from '@tessera/database';
import { measure, medianRound, type Measured } from './cycles.js';
import { residentMegabytes } from './process-usage.js';
import { startSso, type Server } from './processes.js';
import { addServices, addSessions, touchSessions, vacuumAndCheckpoint } from './sessions.js';
import type { Print, Workbench } from './workbench.js';

const SERVICES = 10_000;
const SESSIONS = 1_000;
const CONNECTIONS = 8;
const ROUNDS = 5;
const MILLISECONDS = 4_000;
/** So long that each service was used: its patterns are compiled at the first use. */
const WARM_UP = 10_000;

/** Requirements that the sessions fulfil, as an SQL expression of the service's number `n`. */
const KINDS = {
  none: `'{}'`,
  'exact values': `'{"memberOf": ["staff"], "mail": ["casuser@example.org"]}'`,
  patterns: `jsonb_build_array(jsonb_build_object(
      'memberOf', jsonb_build_array('sta[f]+|unit' || n),
      'mail', jsonb_build_array('[^@]+@(example|unit' || n || ')[.]org')))`,
} as const;

interface Contender {
  readonly kind: string;
  readonly server: Server;
  readonly pool: pg.Pool;
  readonly tgts: readonly string[];
}

export async function measureRequirements(workbench: Workbench, print: Print): Promise<void> {
  const contenders: Contender[] = [];
  try {
    for (const [kind, requirement] of Object.entries(KINDS)) {
      contenders.push(await open(workbench, { kind, requirement, place: contenders.length }));
    }
    const rounds = await measureInTurn(workbench, contenders);
    print('| required | cycles/s | p99 ms | our CPU µs/cycle | memory MB |');
    print('|---|---|---|---|---|');
    for (const { kind, server } of contenders) {
      const { perSecond, p99, ownCpu } = medianRound(rounds.get(kind) ?? []);
      const memory = residentMegabytes(server.pid).toFixed(0);
      print(
        `| ${kind} | ${perSecond.toFixed(0)} | ${p99.toFixed(2)} | ${ownCpu.toFixed(0)} | ${memory} |`,
      );
    }
  } finally {
    await Promise.all(contenders.map(({ server }) => server.stop()));
    await Promise.all(contenders.map(({ pool }) => pool.end()));
  }
}

/** Each contender has a server and a database of its own, so that their rounds alternate. */
async function open(
  workbench: Workbench,
  { kind, requirement, place }: { kind: string; requirement: string; place: number },
): Promise<Contender> {
  const url = await workbench.createDatabase(`requirements_${place}`);
  const dataSource = await connect({ url, applicationName: 'bench' });
  await migrate(dataSource);
  await dataSource.destroy();
  const pool = new pg.Pool({ connectionString: url, max: 2 });
  const tgts = await addSessions(pool, SESSIONS);
  await addServices(pool, SERVICES, requirement);
  await vacuumAndCheckpoint(pool);
  return { kind, server: await startSso(url, 18_110 + place, ['--management.port=0']), pool, tgts };
}

async function measureInTurn(
  workbench: Workbench,
  contenders: readonly Contender[],
): Promise<ReadonlyMap<string, Measured[]>> {
  const rounds = new Map<string, Measured[]>(contenders.map(({ kind }) => [kind, []]));
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const { kind, server, pool, tgts } of contenders) {
      await touchSessions(pool, tgts);
      const milliseconds = round === 0 ? WARM_UP : MILLISECONDS;
      const run = { server, tgts, connections: CONNECTIONS, milliseconds, services: SERVICES };
      const measured = await measure(workbench, run);
      if (round > 0) rounds.get(kind)?.push(measured);
    }
  }
  return rounds;
}
