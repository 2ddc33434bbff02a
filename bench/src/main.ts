// The benchmark; prints Markdown. `npm run bench` runs all parts except the long ones. To run certain parts, name them:
// `npm run bench -- growth soak`. `npm run bench -- compare --with ../other` compares with another built checkout.
// `--json bench/results` also writes a file for each part, from which `npm run docs:plots` draws the plots of the documents.
import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { openEmbeddedPostgres } from '@tessera/embedded-postgres';
import { measureDecryption } from './decryption.js';
import { measureComparison } from './compare.js';
import { measureConfig } from './config.js';
import { measureCycles } from './cycles.js';
import { measureFeatures } from './features.js';
import { measureForms } from './forms.js';
import { measureFresh } from './fresh.js';
import { measureGrowth } from './growth.js';
import { measureLogins } from './logins.js';
import { measureNodes } from './nodes.js';
import { measureOidc } from './oidc.js';
import { measureRefusals } from './refusals.js';
import { measureRequirements } from './requirements.js';
import { resultOf, writeResult } from './results.js';
import { measureSoak } from './soak.js';
import { measureStart } from './start.js';
import { Workbench } from './workbench.js';

const PARTS = {
  start: measureStart,
  cycles: measureCycles,
  fresh: measureFresh,
  forms: measureForms,
  logins: measureLogins,
  refusals: measureRefusals,
  config: measureConfig,
  decryption: measureDecryption,
  growth: measureGrowth,
  requirements: measureRequirements,
  soak: measureSoak,
  features: measureFeatures,
  compare: measureComparison,
  nodes: measureNodes,
  oidc: measureOidc,
} as const;
const SEPARATE_PARTS = ['growth', 'requirements', 'soak', 'features', 'compare', 'nodes', 'oidc'];

const { positionals: requestedParts, values } = parseArgs({
  options: { with: { type: 'string' }, json: { type: 'string' } },
  allowPositionals: true,
});
const otherBuild = values.with === undefined ? undefined : resolve(values.with);
const parts = Object.entries(PARTS).filter(([name]) =>
  requestedParts.length === 0 ? !SEPARATE_PARTS.includes(name) : requestedParts.includes(name),
);

const directory = await mkdtemp(join(tmpdir(), 'tessera-bench-'));
const embedded = await openEmbeddedPostgres({ directory });
try {
  const cores = cpus();
  print(`Node ${process.version}, ${cores.length} cores (${cores[0]?.model.trim() ?? 'unknown'})`);
  for (const [name, measure] of parts) {
    const workbench = await Workbench.open(embedded.url, name, otherBuild);
    try {
      print(`\n## ${name}\n`);
      const lines: string[] = [];
      await measure(workbench, (line) => {
        lines.push(line);
        print(line);
      });
      await writeResult(values.json, resultOf(name, lines, cores.length));
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
