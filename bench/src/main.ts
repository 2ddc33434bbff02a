// The benchmark; prints Markdown. `npm run bench` runs all parts except the long ones. To run certain parts, name them:
// `npm run bench -- growth soak`.
import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEmbeddedPostgres } from '@tessera/database';
import { measureDecryption } from './decryption.js';
import { measureConfig } from './config.js';
import { measureCycles } from './cycles.js';
import { measureFresh } from './fresh.js';
import { measureGrowth } from './growth.js';
import { measureLogins } from './logins.js';
import { measureRefusals } from './refusals.js';
import { measureSoak } from './soak.js';
import { measureStart } from './start.js';
import { Workbench } from './workbench.js';

const PARTS = {
  start: measureStart,
  cycles: measureCycles,
  fresh: measureFresh,
  logins: measureLogins,
  refusals: measureRefusals,
  config: measureConfig,
  decryption: measureDecryption,
  growth: measureGrowth,
  soak: measureSoak,
} as const;
const LONG_PARTS = ['growth', 'soak'];

const requestedParts = process.argv.slice(2);
const parts = Object.entries(PARTS).filter(([name]) =>
  requestedParts.length === 0 ? !LONG_PARTS.includes(name) : requestedParts.includes(name),
);

const directory = await mkdtemp(join(tmpdir(), 'tessera-bench-'));
const embedded = await openEmbeddedPostgres({ directory });
try {
  const cores = cpus();
  print(`Node ${process.version}, ${cores.length} cores (${cores[0]?.model.trim() ?? 'unknown'})`);
  for (const [name, measure] of parts) {
    const workbench = await Workbench.open(embedded.url, name);
    try {
      print(`\n## ${name}\n`);
      await measure(workbench, print);
    } finally {
      await workbench.close();
    }
  }
} finally {
  await embedded.stop();
  await rm(directory, { recursive: true, force: true });
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
