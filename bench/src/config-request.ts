// Owns what passes between the benchmark and the load generator of the config server.
import { runLoad, type LoadResult } from './load-request.js';

/** A GET where there is no body, else a POST of it. */
export interface ConfigRequest {
  readonly path: string;
  /** ASCII. */
  readonly body?: string;
}

export interface ConfigLoad {
  readonly port: number;
  readonly connections: number;
  readonly milliseconds: number;
  /** Sent in turn, each connection from a place of its own. */
  readonly requests: readonly ConfigRequest[];
}

/** Runs a load in a process of its own. */
export function loadConfig(load: ConfigLoad): Promise<LoadResult> {
  return runLoad('./config-load.js', load);
}
