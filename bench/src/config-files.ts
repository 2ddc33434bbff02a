// Measures how the config server uses files: reads without changes, uncached applications, and the delay of a change.
import { readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from './client.js';
import { measure, type Servers, ORDERS } from './config-exchanges.js';
import { APPLICATION_NAMES, propertiesOf } from './config-repository.js';
import type { Server } from './processes.js';
import type { Print } from './workbench.js';

const CONNECTIONS = 8;
const MILLISECONDS = 5_000;
const CHANGES = 20;
const ORDERS_FILES = [
  'orders-prod.properties',
  'orders-prod.yml',
  'application-prod.yml',
  'orders.yml',
  'application.yml',
];

/** The kernel counts reads of files and sockets together; the floor reads no files, so the difference is the files. */
export async function measureReads(
  { ours, floor }: Servers,
  repository: string,
  print: Print,
): Promise<void> {
  const load = { connections: CONNECTIONS, milliseconds: MILLISECONDS, requests: [ORDERS] };
  const [our, bare] = [
    await readsDuring(ours.pid, () => measure(ours, load)),
    await readsDuring(floor.pid, () => measure(floor, load)),
  ];
  const contents = await Promise.all(ORDERS_FILES.map((file) => readFile(join(repository, file))));
  const bytes = contents.reduce((sum, content) => sum + content.length, 0);
  print(
    `- reads a request: ${our.reads.toFixed(3)} of ${our.bytes.toFixed(1)} bytes, the floor ${bare.reads.toFixed(3)} ` +
      `of ${bare.bytes.toFixed(1)} (the ${contents.length} files behind an answer hold ${bytes} bytes)`,
  );
}

/** More applications in turn than the cache holds. The floor has no such case. */
export async function measureApplications(ours: Server, print: Print): Promise<void> {
  const requests = APPLICATION_NAMES.map((name) => ({ path: `/${name}/prod` }));
  const load = { connections: CONNECTIONS, milliseconds: MILLISECONDS, requests };
  await measure(ours, load);
  const { perSecond, p99, cpu } = await measure(ours, load);
  print(
    `- ${requests.length} applications in turn: ${perSecond.toFixed(0)} requests/s, p99 ${p99.toFixed(1)} ms, ` +
      `CPU ${cpu.toFixed(0)} µs/request`,
  );
}

/** Measures from writing a file to the first answer with its new content. */
export async function measureChanges(
  port: number,
  repository: string,
  print: Print,
): Promise<void> {
  const client = await Client.open(port);
  const times: number[] = [];
  for (let revision = 1; revision <= CHANGES; revision += 1) {
    // At a random point of any polling interval.
    await pause(Math.random() * 1_000);
    await writeFile(join(repository, 'orders-prod.properties'), propertiesOf('orders', revision));
    const written = performance.now();
    const wanted = `"orders.revision":"${revision}"`;
    while (!(await client.get(ORDERS.path)).body.includes(wanted)) await pause(1);
    times.push(performance.now() - written);
  }
  client.close();
  times.sort((one, other) => one - other);
  const median = times[Math.floor(CHANGES / 2)] ?? 0;
  print(
    `- a changed file is seen after ${median.toFixed(0)} ms (median of ${CHANGES}), ` +
      `${(times.at(-1) ?? 0).toFixed(0)} ms at most`,
  );
}

interface Reads {
  readonly reads: number;
  readonly bytes: number;
}

async function readsDuring(
  pid: number,
  run: () => Promise<{ readonly cycles: number }>,
): Promise<Reads> {
  const before = readsOf(pid);
  const { cycles } = await run();
  const after = readsOf(pid);
  return {
    reads: (after.reads - before.reads) / cycles,
    bytes: (after.bytes - before.bytes) / cycles,
  };
}

/** Reads of a process so far. @see proc(5), /proc/pid/io */
function readsOf(pid: number): Reads {
  const counters = readFileSync(`/proc/${pid}/io`, 'utf8');
  const [, bytes = 0, reads = 0] = /rchar: (\d+)\n.*\nsyscr: (\d+)/.exec(counters) ?? [];
  return { reads: Number(reads), bytes: Number(bytes) };
}
