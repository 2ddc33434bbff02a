// Measures requests of the config server beside its floor, alternating between the two.
import { Client } from './client.js';
import {
  loadConfig,
  type ConfigLoad,
  type ConfigRequest,
  type LoadResult,
} from './load-generator.js';
import { cpuOf } from './process-usage.js';
import type { Server } from './processes.js';
import { medianBy } from './statistics.js';
import type { Print } from './workbench.js';

const CONNECTIONS = [1, 8, 32];
const ROUNDS = 5;
const MILLISECONDS = 2_000;
/** Milliseconds before the rounds of each number of connections. */
const WARM_UP = 3_000;

const PLAIN = 'a password of usual length';
/** Headers that Node adds itself. */
const ADDED_BY_NODE = /^(?:date|connection|keep-alive):/i;

export interface Servers {
  readonly ours: Server;
  readonly floor: Server;
}

interface Measured extends LoadResult {
  /** CPU microseconds per request. */
  readonly cpu: number;
}

/** Prints table rows: the round with the median throughput of each server, and the share of the floor's. */
export async function measureExchange(
  { ours, floor }: Servers,
  { name, ...requests }: Exchange,
  print: Print,
): Promise<void> {
  for (const connections of CONNECTIONS) {
    const load = (milliseconds: number) => ({
      ours: () => measure(ours, { connections, milliseconds, requests: [requests.ours] }),
      floor: () => measure(floor, { connections, milliseconds, requests: [requests.floor] }),
    });
    await load(WARM_UP).ours();
    await load(WARM_UP).floor();
    const rounds: { readonly floor: Measured; readonly ours: Measured }[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const { floor: bare, ours: our } = load(MILLISECONDS);
      rounds.push({ floor: await bare(), ours: await our() });
    }
    const our = medianBy(
      rounds.map((round) => round.ours),
      perSecond,
    );
    const bare = medianBy(
      rounds.map((round) => round.floor),
      perSecond,
    );
    const label = `| ${name} | ${connections}`;
    print(`${label} | Tessera | ${cells(our)} |`);
    print(`${label} | floor | ${cells(bare)} |`);
    const share = percent(our.perSecond / bare.perSecond);
    print(
      `${label} | **share of the floor** | **${share}** | | | | ${percent(bare.cpu / our.cpu)} |`,
    );
  }
}

/** @throws Error if a request failed */
export async function measure(server: Server, load: Omit<ConfigLoad, 'port'>): Promise<Measured> {
  const before = cpuOf(server.pid);
  const result = await loadConfig({ port: server.port, ...load });
  if (result.failed > 0) throw new Error(`${result.failed} of ${result.cycles} requests failed`);
  return { ...result, cpu: ((cpuOf(server.pid) - before) * 1_000) / result.cycles };
}

function perSecond(result: Measured): number {
  return result.perSecond;
}

function cells({ perSecond: rate, p50, p99, max, cpu }: Measured): string {
  const times = [p50, p99, max].map((time) => time.toFixed(2)).join(' | ');
  return `${rate.toFixed(0)} | ${times} | ${cpu.toFixed(0)}`;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(0)} %`;
}

/** A request to each server: they have different ciphertexts. */
export interface Exchange {
  readonly name: string;
  readonly ours: ConfigRequest;
  readonly floor: ConfigRequest;
}

/** The floor's answer to every GET: headers and body of the config server. */
export interface PreparedAnswer {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export const ORDERS: ConfigRequest = { path: '/orders/prod' };

export async function exchangesWith(ourPort: number, floorPort: number): Promise<Exchange[]> {
  const encrypt = { path: '/encrypt', body: PLAIN };
  return [
    { name: 'GET /orders/prod', ours: ORDERS, floor: ORDERS },
    { name: 'POST /encrypt', ours: encrypt, floor: encrypt },
    {
      name: 'POST /decrypt',
      ours: { path: '/decrypt', body: await encrypted(ourPort) },
      floor: { path: '/decrypt', body: await encrypted(floorPort) },
    },
  ];
}

export async function preparedAnswer(port: number): Promise<PreparedAnswer> {
  const client = await Client.open(port);
  const { head, body } = await client.get(ORDERS.path);
  client.close();
  const [, ...lines] = head.split('\r\n');
  const headers: Record<string, string> = {};
  for (const line of lines.filter((each) => !ADDED_BY_NODE.test(each))) {
    const [name = '', value = ''] = line.split(': ', 2);
    headers[name] = value;
  }
  return { headers, body };
}

async function encrypted(port: number): Promise<string> {
  const client = await Client.open(port);
  const { status, body } = await client.postText('/encrypt', PLAIN);
  client.close();
  if (status !== 200) throw new Error(`/encrypt was answered ${status}`);
  return body;
}
