// Measures whole logins, from credentials to a validated ticket: by the form of a browser, and over REST.
import { Client } from './client.js';
import { measureLogouts } from './logouts.js';
import { startSso, type Server } from './processes.js';
import { cpuOf } from './process-usage.js';
import type { Print, Workbench } from './workbench.js';

const CONNECTIONS = 8;
const ROUNDS = 5;
const MILLISECONDS = 3_000;

const SERVICE = 'http%3A%2F%2Flocalhost%3A9000%2Fapp';
const LOGIN_PAGE = `/cas/login?service=${SERVICE}`;
const CREDENTIALS = 'username=casuser&password=Mellon';

/** Logs in and returns a service ticket; undefined where a request fails. */
type Login = (client: Client) => Promise<string | undefined>;

const byForm: Login = async (client) => {
  const { body } = await client.get(LOGIN_PAGE);
  const execution = /name="execution" value="([^"]*)"/.exec(body)?.[1] ?? '';
  const { head } = await client.post(LOGIN_PAGE, `${CREDENTIALS}&execution=${execution}`);
  return /ticket=(ST-[A-Za-z0-9-]+)/.exec(head)?.[1];
};

const overRest: Login = async (client) => {
  const login = await client.post('/cas/v1/tickets', CREDENTIALS, 'text/plain');
  if (login.status !== 201) return undefined;
  const ticket = await client.post(`/cas/v1/tickets/${login.body}`, `service=${SERVICE}`);
  return ticket.status === 200 ? ticket.body : undefined;
};

interface Round {
  readonly perSecond: number;
  /** Microseconds of CPU for each login. */
  readonly ownCpu: number;
  readonly databaseCpu: number;
}

export async function measureForms(workbench: Workbench, print: Print): Promise<void> {
  const sso = await startSso(workbench.databaseUrl, 18_085, ['--sso.rate-limit.login-form=0']);
  try {
    const rounds: { readonly form: Round; readonly rest: Round }[] = [];
    for (let round = 0; round <= ROUNDS; round += 1) {
      const form = await measureRound(workbench, sso, byForm);
      rounds.push({ form, rest: await measureRound(workbench, sso, overRest) });
    }
    // The first round is the warm-up.
    const [, ...measured] = rounds;
    print(`${CONNECTIONS} connections, handler \`static\`, three requests each\n`);
    print('| | logins/s | our CPU µs/login | PostgreSQL CPU µs/login |');
    print('|---|---|---|---|');
    print(`| form, ticket, validation | ${format(measured.map(({ form }) => form))} |`);
    print(`| REST, ticket, validation | ${format(measured.map(({ rest }) => rest))} |`);
    await measureLogouts(workbench, sso, print);
  } finally {
    await sso.stop();
  }
}

async function measureRound(workbench: Workbench, server: Server, login: Login): Promise<Round> {
  const before = { own: cpuOf(server.pid), database: workbench.databaseCpu() };
  const end = performance.now() + MILLISECONDS;
  const counts = await Promise.all(
    Array.from({ length: CONNECTIONS }, () => logInUntil(end, server.port, login)),
  );
  const logins = counts.reduce((sum, count) => sum + count, 0);
  return {
    perSecond: logins / (MILLISECONDS / 1_000),
    ownCpu: ((cpuOf(server.pid) - before.own) / logins) * 1_000,
    databaseCpu: ((workbench.databaseCpu() - before.database) / logins) * 1_000,
  };
}

async function logInUntil(end: number, port: number, login: Login): Promise<number> {
  const client = await Client.open(port);
  let count = 0;
  for (; performance.now() < end; count += 1) {
    const ticket = await login(client);
    const path = `/cas/p3/serviceValidate?service=${SERVICE}&ticket=${ticket}`;
    const { body } = await client.get(path);
    if (!body.includes('authenticationSuccess')) throw new Error(`a login failed: ${body}`);
  }
  client.close();
  return count;
}

function format(rounds: readonly Round[]): string {
  const median = (of: (round: Round) => number): string => {
    const sorted = rounds.map(of).toSorted((one, other) => one - other);
    return (sorted[Math.floor(sorted.length / 2)] ?? 0).toFixed(0);
  };
  return [
    median(({ perSecond }) => perSecond),
    median(({ ownCpu }) => ownCpu),
    median(({ databaseCpu }) => databaseCpu),
  ].join(' | ');
}
