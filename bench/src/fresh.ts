// The first minute of a fresh database, which PostgreSQL has not analysed yet, beside the same database once analysed.
import { fail, measure, median, type Measured } from './cycles.js';
import { startSso } from './processes.js';
import { addSessions, settle, touchSessions } from './sessions.js';
import type { Print, Workbench } from './workbench.js';

const SESSIONS = 10_000;
const CONNECTIONS = 4;
const WARM_UP = 8_000;
const MILLISECONDS = 15_000;
/** Windows of the first minute, and those after the analysis. */
const FIRST = 4;
const LATER = 3;

export async function measureFresh(workbench: Workbench, print: Print): Promise<void> {
  const { pool } = workbench;
  const sso = await startSso(workbench.databaseUrl, 18_085);
  try {
    // Statements are planned here, while the tables are as good as empty.
    const few = await addSessions(pool, CONNECTIONS);
    const run = { server: sso, connections: CONNECTIONS, milliseconds: MILLISECONDS };
    await measure(workbench, { ...run, tgts: few, milliseconds: WARM_UP });
    const tgts = await addSessions(pool, SESSIONS, CONNECTIONS);
    const windows: Measured[] = [];
    for (let window = 0; window < FIRST + LATER; window += 1) {
      if (window === FIRST) await settle(pool);
      await touchSessions(pool, tgts);
      windows.push(await measure(workbench, { ...run, tgts }));
    }
    print('| seconds | | cycles/s | p99 ms | max ms | PostgreSQL CPU µs/cycle |');
    print('|---|---|---|---|---|---|');
    windows.forEach((window, index) => print(row(index, window)));
    const [first = fail()] = windows;
    const later = median(windows.slice(FIRST));
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
  const state = index < FIRST ? 'fresh' : 'analysed';
  const times = `${p99.toFixed(2)} | ${max.toFixed(1)}`;
  const until = ((index + 1) * MILLISECONDS) / 1_000;
  return `| ${until} | ${state} | ${perSecond.toFixed(0)} | ${times} | ${databaseCpu.toFixed(0)} |`;
}
