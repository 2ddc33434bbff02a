// Measures logins per second over REST with the default password hashing, their effect on cycles, and the cost of throttling.
import { AccountStore, UserAccount } from '@tessera/accounts';
import { DEFAULT_ARGON2_PARAMETERS, PasswordHashing } from '@tessera/crypto';
import { connect } from '@tessera/database';
import { Client } from './client.js';
import { cpuOf } from './process-usage.js';
import { measure } from './cycles.js';
import { startSso, type Server } from './processes.js';
import { addSessions } from './sessions.js';
import type { Print, Workbench } from './workbench.js';

const CONNECTIONS = 8;
const MILLISECONDS = 8_000;
const ROUNDS = 5;
const ROUND_MILLISECONDS = 2_000;

/** A login, and the expected status. */
interface Login {
  readonly form: string;
  readonly status: number;
}

const ACCOUNT: Login = { form: 'username=bench&password=Mellon', status: 201 };
export const STATIC: Login = { form: 'username=casuser&password=Mellon', status: 201 };

export async function measureLogins(workbench: Workbench, print: Print): Promise<void> {
  await addUser(workbench.databaseUrl);
  const tgts = await addSessions(workbench.pool, 100);
  const sso = await startSso(workbench.databaseUrl, 18_081, [
    '--sso.authentication.handlers=accounts',
    '--management.port=0',
  ]);
  try {
    const { memory, iterations, parallelism } = DEFAULT_ARGON2_PARAMETERS;
    print(`argon2id: ${memory} KiB, ${iterations} iterations, parallelism ${parallelism}\n`);
    await loginsPerSecond(sso.port, ROUND_MILLISECONDS);
    const run = { server: sso, tgts, connections: 8, milliseconds: MILLISECONDS };
    const alone = await measure(workbench, run);
    print(
      `- ${(await loginsPerSecond(sso.port, MILLISECONDS)).toFixed(1)} logins/s at ${CONNECTIONS} connections`,
    );
    const [logins, beside] = await Promise.all([
      loginsPerSecond(sso.port, MILLISECONDS),
      measure(workbench, run),
    ]);
    print(
      `- beside ${logins.toFixed(1)} logins/s: ${beside.perSecond.toFixed(0)} cycles/s, p99 ${beside.p99.toFixed(1)} ms ` +
        `(alone: ${alone.perSecond.toFixed(0)} cycles/s, p99 ${alone.p99.toFixed(1)} ms)`,
    );
  } finally {
    await sso.stop();
  }
  await measureThrottling(workbench, 'static', STATIC, print);
  await measureThrottling(workbench, 'accounts', ACCOUNT, print);
}

/** Measures successful logins without and with throttling in turn, then refused ones of a blocked address. */
async function measureThrottling(
  workbench: Workbench,
  handler: string,
  login: Login,
  print: Print,
): Promise<void> {
  await workbench.pool.query('truncate authentication_failure');
  const start = (port: number, isThrottled: boolean): Promise<Server> =>
    startSso(workbench.databaseUrl, port, [
      `--management.port=${port + 10}`,
      `--sso.authentication.handlers=${handler}`,
      `--sso.throttle.rest.enabled=${isThrottled}`,
    ]);
  const off = await start(18_083, false);
  const on = await start(18_084, true);
  try {
    const rounds: { readonly without: Cost; readonly with: Cost }[] = [];
    for (let round = 0; round <= ROUNDS; round += 1) {
      const without = await costOf(workbench, off, login);
      rounds.push({ without, with: await costOf(workbench, on, login) });
    }
    // The first round is the warm-up.
    const [, ...measured] = rounds;
    print(
      `- handler ${handler}, without throttling: ${formatCosts(measured.map((each) => each.without))}`,
    );
    print(
      `- handler ${handler}, with throttling: ${formatCosts(measured.map((each) => each.with))}`,
    );
    await failUntilBlocked(on.port);
    const refusal = await costOf(workbench, on, { ...login, status: 429 });
    print(`- handler ${handler}, refused because blocked: ${formatCosts([refusal])}`);
  } finally {
    await Promise.all([off.stop(), on.stop()]);
  }
}

/** CPU microseconds per answer. */
interface Cost {
  readonly perSecond: number;
  readonly ownCpu: number;
  readonly databaseCpu: number;
}

async function costOf(workbench: Workbench, server: Server, login: Login): Promise<Cost> {
  const before = { own: cpuOf(server.pid), database: workbench.databaseCpu() };
  const perSecond = await loginsPerSecond(server.port, ROUND_MILLISECONDS, login);
  const logins = perSecond * (ROUND_MILLISECONDS / 1_000);
  return {
    perSecond,
    ownCpu: ((cpuOf(server.pid) - before.own) / logins) * 1_000,
    databaseCpu: ((workbench.databaseCpu() - before.database) / logins) * 1_000,
  };
}

function formatCosts(prices: readonly Cost[]): string {
  const median = (of: (price: Cost) => number): string => medianOf(prices.map(of)).toFixed(0);
  return (
    `${median((price) => price.perSecond)}/s, CPU ${median((price) => price.ownCpu)} µs ` +
    `and in PostgreSQL ${median((price) => price.databaseCpu)} µs`
  );
}

/** Sends wrong passwords until this address is blocked. */
async function failUntilBlocked(port: number): Promise<void> {
  const client = await Client.open(port);
  for (let status = 400; status === 400;) {
    ({ status } = await client.post('/cas/v1/tickets', 'username=nobody&password=x'));
  }
  client.close();
}

function medianOf(numbers: readonly number[]): number {
  return numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? 0;
}

async function addUser(url: string): Promise<void> {
  const dataSource = await connect({ url, applicationName: 'bench', entities: [UserAccount] });
  const passwordHash = await new PasswordHashing().hash('Mellon');
  await AccountStore.of(dataSource).add({ name: 'bench', passwordHash });
  await dataSource.destroy();
}

export async function loginsPerSecond(
  port: number,
  milliseconds: number,
  login: Login = ACCOUNT,
): Promise<number> {
  const end = performance.now() + milliseconds;
  const counts = await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      const client = await Client.open(port);
      let count = 0;
      for (; performance.now() < end; count += 1) {
        const { status } = await client.post('/cas/v1/tickets', login.form);
        if (status !== login.status) throw new Error(`a login was answered ${status}`);
      }
      client.close();
      return count;
    }),
  );
  return counts.reduce((sum, count) => sum + count, 0) / (milliseconds / 1_000);
}
