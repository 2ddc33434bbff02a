// Measures ten minutes at full load: throughput relative to the first minute, PostgreSQL's CPU time, and memory.
import { residentMegabytes } from './process-usage.js';
import { measure } from './cycles.js';
import { startSso } from './processes.js';
import { addSessions, vacuumAndCheckpoint } from './sessions.js';
import type { Print, Workbench } from './workbench.js';

const MINUTES = 10;
const CONNECTIONS = 32;

export async function measureSoak(workbench: Workbench, print: Print): Promise<void> {
  const tgts = await addSessions(workbench.pool, 1_000);
  await vacuumAndCheckpoint(workbench.pool);
  const sso = await startSso(workbench.databaseUrl, 18_084);
  try {
    const run = { server: sso, tgts, connections: CONNECTIONS, milliseconds: 60_000 };
    await measure(workbench, { ...run, milliseconds: 5_000 });
    print(
      '| minute | cycles/s | of the first | p99 ms | max ms | PostgreSQL CPU µs/cycle | memory MB |',
    );
    print('|---|---|---|---|---|---|---|');
    let first = 0;
    for (let minute = 1; minute <= MINUTES; minute += 1) {
      const { perSecond, p99, max, databaseCpu } = await measure(workbench, run);
      first ||= perSecond;
      const share = ((perSecond / first) * 100).toFixed(0);
      print(
        `| ${minute} | ${perSecond.toFixed(0)} | ${share} % | ${p99.toFixed(2)} | ${max.toFixed(1)} | ` +
          `${databaseCpu.toFixed(0)} | ${residentMegabytes(sso.pid).toFixed(0)} |`,
      );
    }
  } finally {
    await sso.stop();
  }
}
