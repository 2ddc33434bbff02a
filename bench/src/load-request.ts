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
  const child = fork(fileURLToPath(import.meta.resolve('./load.js')));
  child.send(request);
  return new Promise((resolve, reject) => {
    child.once('message', resolve);
    child.once('exit', () => reject(new Error('the load generator ended without a result')));
  });
}
