// From `tessera start config-server`, with a thousand applications in the directory, until it listens; and its memory then.
import { residentMegabytes } from './cpu.js';
import { startConfigServer } from './processes.js';
import type { Print } from './workbench.js';

const ROUNDS = 7;

export async function measureConfigStart(
  directory: string,
  port: number,
  print: Print,
): Promise<void> {
  const times: number[] = [];
  const memory: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const started = performance.now();
    const server = await startConfigServer(directory, port);
    times.push(performance.now() - started);
    memory.push(residentMegabytes(server.pid));
    await server.stop();
  }
  const [fastest, median] = [0, Math.floor(ROUNDS / 2)].map((at) => times.toSorted(byValue)[at]);
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
