// Measures cycles with many sessions and services in the tables, beside the same with few.
import { measure, medianRound, type Measured } from './cycles.js';
import { startSso } from './processes.js';
import { addServices, addSessions, vacuumAndCheckpoint, touchSessions } from './sessions.js';
import type { Print, Workbench } from './workbench.js';

const FEW = { sessions: 1_000, services: 10 };
const MANY = { sessions: 1_000_000, services: 10_000 };
const USED = 1_000;
const MILLISECONDS = 8_000;
const ROUNDS = 3;
const CONNECTIONS = 8;

export async function measureGrowth(workbench: Workbench, print: Print): Promise<void> {
  const few = await measureWith(workbench, FEW);
  const many = await measureWith(workbench, {
    sessions: MANY.sessions - FEW.sessions,
    services: MANY.services - FEW.services,
  });
  print('| sessions | services | cycles/s | p99 ms | our CPU µs/cycle | PostgreSQL CPU µs/cycle |');
  print('|---|---|---|---|---|---|');
  print(row(FEW, few));
  print(row(MANY, many));
  print(
    `\nWith many: ${((many.perSecond / few.perSecond) * 100).toFixed(0)} % of the cycles with few.`,
  );
}

async function measureWith(workbench: Workbench, added: typeof FEW): Promise<Measured> {
  const { pool } = workbench;
  await addSessions(pool, added.sessions - USED, 0);
  const tgts = await addSessions(pool, USED);
  await addServices(pool, added.services);
  await vacuumAndCheckpoint(pool);
  const sso = await startSso(workbench.databaseUrl, 18_083);
  try {
    const run = { server: sso, tgts, connections: CONNECTIONS, milliseconds: MILLISECONDS };
    const rounds: Measured[] = [];
    for (let round = 0; round <= ROUNDS; round += 1) {
      await touchSessions(pool, tgts);
      rounds.push(await measure(workbench, run));
    }
    // The first round is the warm-up.
    return medianRound(rounds.slice(1));
  } finally {
    await sso.stop();
  }
}

function row({ sessions, services }: typeof FEW, measured: Measured): string {
  const { perSecond, p99, ownCpu, databaseCpu } = measured;
  const costs = `${ownCpu.toFixed(0)} | ${databaseCpu.toFixed(0)}`;
  return `| ${sessions} | ${services} | ${perSecond.toFixed(0)} | ${p99.toFixed(2)} | ${costs} |`;
}
