// What the audit trail, the metrics, the operator's API and traces cost: cycles with them beside cycles with none, in one run.
import { createServer } from 'node:http';
import pg from 'pg';
import { inTurn, startAll, stopAll } from './contenders.js';
import { measure, medianRound, row } from './cycles.js';
import { startSso } from './processes.js';
import { addSessions, touchSessions, vacuumAndCheckpoint } from './sessions.js';
import type { Print, Workbench } from './workbench.js';

const PORT = 18_090;
const MANAGEMENT_PORT = 18_095;
const RECEIVER_PORT = 18_097;
const CONNECTIONS = [1, 8, 32];
const SESSIONS = 1_000;

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

/** Takes the spans, and does nothing with them. */
const receiver = createServer((request, response) => {
  request.resume().on('end', () => response.end('{}'));
});

export async function measureFeatures(workbench: Workbench, print: Print): Promise<void> {
  receiver.listen(RECEIVER_PORT, '127.0.0.1');
  const databases = new Map<string, string>();
  for (const [at, name] of Object.keys(SETTINGS).entries()) {
    databases.set(name, await workbench.createDatabase(`features_${at}`));
  }
  const starts = Object.entries(SETTINGS).map(([name, settings], at) => {
    const start = () => startSso(databases.get(name) ?? '', PORT + at, settings);
    return [name, start] as const;
  });
  const contenders = await startAll(Object.fromEntries(starts));
  const pools = new Map([...databases].map(([name, url]) => [name, openPool(url)]));
  try {
    const tgts = new Map<string, readonly string[]>();
    for (const [name, pool] of pools) {
      tgts.set(name, await addSessions(pool, SESSIONS));
      await vacuumAndCheckpoint(pool);
    }
    print(
      '| connections | | cycles/s | p50 ms | p95 ms | p99 ms | max ms | our CPU µs/cycle | PostgreSQL CPU µs/cycle |',
    );
    print('|---|---|---|---|---|---|---|---|---|');
    for (const connections of CONNECTIONS) {
      const rounds = await inTurn(contenders, async ({ name, server }, milliseconds) => {
        const own = tgts.get(name) ?? [];
        await touchSessions(pools.get(name) as pg.Pool, own);
        return measure(workbench, { server, tgts: own, connections, milliseconds });
      });
      for (const { name } of contenders) {
        print(row(connections, name, medianRound(rounds.get(name) ?? [])));
      }
    }
  } finally {
    await Promise.all([...pools.values()].map((pool) => pool.end()));
    await stopAll(contenders);
    receiver.close();
  }
}

function openPool(connectionString: string): pg.Pool {
  return new pg.Pool({ connectionString, max: 2 });
}
