// Measures the first minute of a new database, before PostgreSQL's first analyse, beside the same database afterwards.
import { measure, medianRound, type Measured } from './cycles.js';
import { startSso } from './processes.js';
import { addSessions, vacuumAndCheckpoint, touchSessions } from './sessions.js';
import type { Print, Workbench } from './workbench.js';

const SESSIONS = 10_000;
const CONNECTIONS = 4;
const WARM_UP = 8_000;
const MILLISECONDS = 15_000;
/** Measurements in the first minute, and after the analyse. */
const FRESH_WINDOWS = 4;
const ANALYSED_WINDOWS = 3;

export async function measureFresh(workbench: Workbench, print: Print): Promise<void> {
  const { pool } = workbench;
  const sso = await startSso(workbench.databaseUrl, 18_085);
  try {
    // The statements are planned while the tables are almost empty.
    const few = await addSessions(pool, CONNECTIONS);
    const run = { server: sso, connections: CONNECTIONS, milliseconds: MILLISECONDS };
    await measure(workbench, { ...run, tgts: few, milliseconds: WARM_UP });
    const tgts = await addSessions(pool, SESSIONS, CONNECTIONS);
    const windows: Measured[] = [];
    for (let window = 0; window < FRESH_WINDOWS + ANALYSED_WINDOWS; window += 1) {
      if (window === FRESH_WINDOWS) await vacuumAndCheckpoint(pool);
      await touchSessions(pool, tgts);
      windows.push(await measure(workbench, { ...run, tgts }));
    }
    print('| seconds | | cycles/s | p99 ms | max ms | PostgreSQL CPU µs/cycle |');
    print('|---|---|---|---|---|---|');
    windows.forEach((window, index) => print(row(index, window)));
    const [first] = windows;
    if (first === undefined) throw new Error('no round was run');
    const later = medianRound(windows.slice(FRESH_WINDOWS));
    const share = (of: (window: Measured) => number): string =>
      ((of(first) / of(later)) * 100).toFixed(0);
    print(
      `\nThe first window: ${share(({ perSecond }) => perSecond)} % of the cycles of the later ones, ` +
        `and ${share(({ databaseCpu }) => databaseCpu)} % of their price in PostgreSQL.`,
    );
  } finally {
    await sso.stop();
  }
}

function row(index: number, { perSecond, p99, max, databaseCpu }: Measured): string {
  const state = index < FRESH_WINDOWS ? 'fresh' : 'analysed';
  const times = `${p99.toFixed(2)} | ${max.toFixed(1)}`;
  const until = ((index + 1) * MILLISECONDS) / 1_000;
  return `| ${until} | ${state} | ${perSecond.toFixed(0)} | ${times} | ${databaseCpu.toFixed(0)} |`;
}
