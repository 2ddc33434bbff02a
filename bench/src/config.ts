// Measures the config server: requests beside a floor, start, memory, file reads, and the time until a change is served.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exchangesWith, measureExchange, preparedAnswer } from './config-exchanges.js';
import { measureApplications, measureChanges, measureReads } from './config-files.js';
import { writeRepository } from './config-repository.js';
import { residentMegabytes } from './process-usage.js';
import { startConfigFloor, startConfigServer } from './processes.js';
import type { Print, Workbench } from './workbench.js';

const PORT = 18_085;
const START_ROUNDS = 7;

export async function measureConfig(_workbench: Workbench, print: Print): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'tessera-bench-config-'));
  try {
    const repository = await writeRepository(directory);
    await measureStart(directory, print);
    const ours = await startConfigServer(directory, PORT);
    const fresh = residentMegabytes(ours.pid);
    const floor = await startConfigFloor(await preparedAnswer(ours.port));
    const servers = { ours, floor };
    try {
      print('| request | connections | | requests/s | p50 ms | p99 ms | max ms | CPU µs/request |');
      print('|---|---|---|---|---|---|---|---|');
      for (const exchange of await exchangesWith(ours.port, floor.port)) {
        await measureExchange(servers, exchange, print);
      }
      print(`\n- resident memory at the start: ${fresh.toFixed(0)} MB`);
      print(`- after the load above: ${residentMegabytes(ours.pid).toFixed(0)} MB`);
      await measureReads(servers, repository, print);
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

/** From `tessera start config-server` until it listens, with a thousand applications; and its memory then. */
async function measureStart(directory: string, print: Print): Promise<void> {
  const times: number[] = [];
  const memory: number[] = [];
  for (let round = 0; round < START_ROUNDS; round += 1) {
    const started = performance.now();
    const server = await startConfigServer(directory, PORT);
    times.push(performance.now() - started);
    memory.push(residentMegabytes(server.pid));
    await server.stop();
  }
  const [fastest, median] = [0, Math.floor(START_ROUNDS / 2)].map(
    (at) => times.toSorted(byValue)[at],
  );
  print(
    `- start until it listens: ${rounded(times)} ms (median ${median?.toFixed(0)}, fastest ${fastest?.toFixed(0)})`,
  );
  print(`- resident memory then: ${rounded(memory)} MB\n`);
}

function rounded(numbers: readonly number[]): string {
  return numbers.map((number) => number.toFixed(0)).join(', ');
}

function byValue(one: number, other: number): number {
  return one - other;
}
