// Measures single logout: the end of a session with many services, until each of them was told.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Client } from './client.js';
import { cpuOf } from './process-usage.js';
import type { Server } from './processes.js';
import { medianBy } from './statistics.js';
import type { Print, Workbench } from './workbench.js';

const SERVICES = 500;
const ROUNDS = 5;

interface Round {
  /** Milliseconds until the logout is answered. */
  readonly answeredAfter: number;
  readonly perSecond: number;
  /** Microseconds of CPU for each message. */
  readonly ownCpu: number;
  readonly databaseCpu: number;
}

/** Signs in to services of this machine over REST, and ends the session. */
export async function measureLogouts(
  workbench: Workbench,
  sso: Server,
  print: Print,
): Promise<void> {
  let told = (): void => {};
  const applications = createServer((request, response) => {
    request.resume().on('end', () => {
      response.end();
      told();
    });
  }).listen(0, '127.0.0.1');
  await once(applications, 'listening');
  const { port } = applications.address() as AddressInfo;
  const client = await Client.open(sso.port);
  const rounds: Round[] = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    const tgt = await signIn(client, port);
    const all = allTold((each) => (told = each));
    rounds.push(await measureRound(workbench, sso, () => logOut(client, tgt, all)));
  }
  client.close();
  applications.close();
  // The first round is the warm-up.
  const [, ...measured] = rounds;
  const { answeredAfter, perSecond, ownCpu, databaseCpu } = medianBy(measured, (r) => r.perSecond);
  print(`\nLogout of a session with ${SERVICES} services\n`);
  print('| answered after ms | messages/s | our CPU µs/message | PostgreSQL CPU µs/message |');
  print('|---|---|---|---|');
  print(
    `| ${[answeredAfter, perSecond, ownCpu, databaseCpu].map((n) => n.toFixed(0)).join(' | ')} |`,
  );
}

/** @returns the TGT of a session that signed in to all services */
async function signIn(client: Client, port: number): Promise<string> {
  const { body: tgt } = await client.post(
    '/cas/v1/tickets',
    'username=casuser&password=Mellon',
    'text/plain',
  );
  for (let n = 0; n < SERVICES; n += 1) {
    const service = encodeURIComponent(`http://127.0.0.1:${port}/app-${n}`);
    const { body: ticket } = await client.post(`/cas/v1/tickets/${tgt}`, `service=${service}`);
    const { body } = await client.get(`/cas/validate?service=${service}&ticket=${ticket}`);
    if (!body.startsWith('yes')) throw new Error(`a validation failed: ${body}`);
  }
  return tgt;
}

/** Resolves when every service was told. */
function allTold(listen: (told: () => void) => void): Promise<void> {
  let count = 0;
  return new Promise((resolve) => {
    listen(() => {
      count += 1;
      if (count === SERVICES) resolve();
    });
  });
}

/** @returns milliseconds until the answer, and until all services were told */
async function logOut(
  client: Client,
  tgt: string,
  all: Promise<void>,
): Promise<readonly [number, number]> {
  const start = performance.now();
  await client.delete(`/cas/v1/tickets/${tgt}`);
  const answeredAfter = performance.now() - start;
  await all;
  return [answeredAfter, performance.now() - start];
}

async function measureRound(
  workbench: Workbench,
  { pid }: Server,
  work: () => Promise<readonly [number, number]>,
): Promise<Round> {
  const before = { own: cpuOf(pid), database: workbench.databaseCpu() };
  const [answeredAfter, milliseconds] = await work();
  return {
    answeredAfter,
    perSecond: SERVICES / (milliseconds / 1_000),
    ownCpu: ((cpuOf(pid) - before.own) / SERVICES) * 1_000,
    databaseCpu: ((workbench.databaseCpu() - before.database) / SERVICES) * 1_000,
  };
}
