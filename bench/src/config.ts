// The config server: what requests cost beside a floor, its start and memory, what it reads, when it sees changes.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { measureExchange } from './config-beside-floor.js';
import { exchangesWith, preparedAnswer } from './config-exchanges.js';
import { measureApplications, measureChanges, measureReads } from './config-files.js';
import { writeRepository } from './config-repository.js';
import { measureConfigStart } from './config-start.js';
import { residentMegabytes } from './cpu.js';
import { startConfigFloor, startConfigServer } from './processes.js';
import type { Print, Workbench } from './workbench.js';

const PORT = 18_085;

export async function measureConfig(_workbench: Workbench, print: Print): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'tessera-bench-config-'));
  try {
    const repository = await writeRepository(directory);
    await measureConfigStart(directory, PORT, print);
    const ours = await startConfigServer(directory, PORT);
    const fresh = residentMegabytes(ours.pid);
    const floor = await startConfigFloor(await preparedAnswer(ours.port));
    const sides = { ours, floor };
    try {
      print('| request | connections | | requests/s | p50 ms | p99 ms | max ms | CPU µs/request |');
      print('|---|---|---|---|---|---|---|---|');
      for (const exchange of await exchangesWith(ours.port, floor.port)) {
        await measureExchange(sides, exchange, print);
      }
      print(`\n- resident memory at the start: ${fresh.toFixed(0)} MB`);
      print(`- after the load above: ${residentMegabytes(ours.pid).toFixed(0)} MB`);
      await measureReads(sides, repository, print);
      await measureApplications(ours, print);
      print(`- resident memory after that: ${residentMegabytes(ours.pid).toFixed(0)} MB`);
      await measureChanges(ours.port, repository, print);
    } finally {
      await Promise.all([ours.stop(), floor.stop()]);
    }
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
