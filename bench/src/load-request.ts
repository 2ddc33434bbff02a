// Owns what passes between the benchmark and its load generator.
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export interface LoadRequest {
  readonly port: number;
  /** Path in front of /v1/tickets. */
  readonly prefix: string;
  readonly connections: number;
  readonly milliseconds: number;
  /** Shared out among the connections. */
  readonly tgts: readonly string[];
}

/** Times of a whole cycle in milliseconds. */
export interface LoadResult {
  readonly cycles: number;
  readonly failed: number;
  readonly perSecond: number;
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  readonly max: number;
}

/** Runs a load in a process of its own. */
export function load(request: LoadRequest): Promise<LoadResult> {
  return runLoad('./load.js', request);
}

/** Runs a load generator of this folder, which takes a message and answers with a result. */
export function runLoad(program: string, request: object): Promise<LoadResult> {
  const child = fork(fileURLToPath(import.meta.resolve(program)));
  child.send(request);
  return new Promise((resolve, reject) => {
    child.once('message', resolve);
    child.once('exit', () => reject(new Error('the load generator ended without a result')));
  });
}

/** @param times of all cycles, in milliseconds, as is `elapsed` */
export function summarise(times: number[], failed: number, elapsed: number): LoadResult {
  times.sort((a, b) => a - b);
  const at = (share: number): number => times[Math.floor(times.length * share)] ?? 0;
  return {
    cycles: times.length,
    failed,
    perSecond: (times.length / elapsed) * 1_000,
    p50: at(0.5),
    p95: at(0.95),
    p99: at(0.99),
    max: times.at(-1) ?? 0,
  };
}
