// Starts load generators as processes of their own: the messages to them and the results from them.
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export interface LoadRequest {
  readonly port: number;
  /** Path before /v1/tickets. */
  readonly prefix: string;
  readonly connections: number;
  readonly milliseconds: number;
  /** Distributed over the connections. */
  readonly tgts: readonly string[];
  /** The number of services of the benchmark that are used in turn. By default the one that each installation has. */
  readonly services?: number;
}

/** A GET, or a POST if there is a body. */
export interface ConfigRequest {
  readonly path: string;
  /** ASCII. */
  readonly body?: string;
}

export interface ConfigLoad {
  readonly port: number;
  readonly connections: number;
  readonly milliseconds: number;
  /** Sent in turn; each connection starts at another one. */
  readonly requests: readonly ConfigRequest[];
}

/** Sign-ins of an OpenID Connect client in the sessions of browsers. */
export interface SignInLoad {
  readonly port: number;
  /** Path before /oidc. */
  readonly prefix: string;
  readonly connections: number;
  readonly milliseconds: number;
  /** Values of `Cookie`, used in turn. */
  readonly cookies: readonly string[];
  /** A public client. */
  readonly clientId: string;
  readonly redirectUri: string;
}

/** Times of a cycle or request, in milliseconds. */
export interface LoadResult {
  readonly cycles: number;
  readonly failed: number;
  readonly perSecond: number;
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  readonly max: number;
}

/** Runs issue-and-validate cycles against the SSO application or its floor. */
export function load(request: LoadRequest): Promise<LoadResult> {
  return runLoad('./load.js', request);
}

/** Runs requests against the config server or its floor. */
export function loadConfig(request: ConfigLoad): Promise<LoadResult> {
  return runLoad('./config-load.js', request);
}

/** Runs sign-ins against the SSO application. */
export function loadSignIns(request: SignInLoad): Promise<LoadResult> {
  return runLoad('./oidc-load.js', request);
}

/** Runs a load generator of this folder, which receives one message and answers with one. */
function runLoad(program: string, request: object): Promise<LoadResult> {
  const child = fork(fileURLToPath(import.meta.resolve(program)));
  child.send(request);
  return new Promise((resolve, reject) => {
    child.once('message', resolve);
    child.once('exit', () => reject(new Error('the load generator ended without a result')));
  });
}

/** @param times of all cycles, in milliseconds; so is `elapsed` */
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
