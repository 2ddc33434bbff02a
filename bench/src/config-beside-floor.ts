// Owns measuring an exchange with the config server and with its floor, turn about.
import type { Exchange } from './config-exchanges.js';
import { loadConfig, type ConfigLoad } from './config-request.js';
import { cpuOf } from './cpu.js';
import type { LoadResult } from './load-request.js';
import type { Server } from './processes.js';
import type { Print } from './workbench.js';

const CONNECTIONS = [1, 8, 32];
const ROUNDS = 5;
const MILLISECONDS = 2_000;
/** Before the rounds of each number of connections. */
const WARM_UP = 3_000;

export interface Sides {
  readonly ours: Server;
  readonly floor: Server;
}

interface Measured extends LoadResult {
  /** Microseconds of CPU a request. */
  readonly cpu: number;
}

/** Prints rows of a table: the round with the median throughput, and its share of the floor's. */
export async function measureExchange(
  { ours, floor }: Sides,
  { name, ...requests }: Exchange,
  print: Print,
): Promise<void> {
  for (const connections of CONNECTIONS) {
    const load = (milliseconds: number) => ({
      ours: () => measure(ours, { connections, milliseconds, requests: [requests.ours] }),
      floor: () => measure(floor, { connections, milliseconds, requests: [requests.floors] }),
    });
    await load(WARM_UP).ours();
    await load(WARM_UP).floor();
    const rounds: { readonly floor: Measured; readonly ours: Measured }[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const { floor: bare, ours: our } = load(MILLISECONDS);
      rounds.push({ floor: await bare(), ours: await our() });
    }
    const our = median(rounds.map((round) => round.ours));
    const bare = median(rounds.map((round) => round.floor));
    const label = `| ${name} | ${connections}`;
    print(`${label} | Tessera | ${cells(our)} |`);
    print(`${label} | floor | ${cells(bare)} |`);
    const share = percent(our.perSecond / bare.perSecond);
    print(
      `${label} | **share of the floor** | **${share}** | | | | ${percent(bare.cpu / our.cpu)} |`,
    );
  }
}

/** @throws Error where a request failed: figures of a broken run are none */
export async function measure(server: Server, load: Omit<ConfigLoad, 'port'>): Promise<Measured> {
  const before = cpuOf(server.pid);
  const result = await loadConfig({ port: server.port, ...load });
  if (result.failed > 0) throw new Error(`${result.failed} of ${result.cycles} requests failed`);
  return { ...result, cpu: ((cpuOf(server.pid) - before) * 1_000) / result.cycles };
}

function median(rounds: readonly Measured[]): Measured {
  const sorted = rounds.toSorted((one, other) => one.perSecond - other.perSecond);
  const middle = sorted[Math.floor(sorted.length / 2)];
  if (middle === undefined) throw new Error('no round was run');
  return middle;
}

function cells({ perSecond, p50, p99, max, cpu }: Measured): string {
  const times = [p50, p99, max].map((time) => time.toFixed(2)).join(' | ');
  return `${perSecond.toFixed(0)} | ${times} | ${cpu.toFixed(0)}`;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(0)} %`;
}
