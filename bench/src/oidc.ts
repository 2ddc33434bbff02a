// Measures sign-ins of OpenID Connect clients beside CAS cycles, with the module and without it, in alternating rounds.
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { newKeyFile } from '@tessera/crypto';
import { connect, migrate } from '@tessera/database';
import { Client } from './client.js';
import { measure, medianRound, type Measured } from './cycles.js';
import { loadSignIns } from './load-generator.js';
import { cpuOf, residentMegabytes } from './process-usage.js';
import { startSso, type Server } from './processes.js';
import { addSessions, touchSessions, vacuumAndCheckpoint } from './sessions.js';
import type { Print, Workbench } from './workbench.js';

const CONNECTIONS = 8;
const ROUNDS = 5;
const MILLISECONDS = 4_000;
const WARM_UP = 8_000;
const SESSIONS = 1_000;
/** They log in by the form, which checks a password. */
const BROWSERS = 50;
const REDIRECT_URI = 'https://client.example.org/callback';
const ALGORITHMS = ['RS256', 'ES256'] as const;
/** PostgreSQL counts transactions with a delay. */
const STATISTICS_DELAY_MS = 1_500;

interface Contender {
  readonly server: Server;
  readonly pool: pg.Pool;
  readonly tgts: readonly string[];
}

/** A kind of work at one of the servers. */
interface Work {
  readonly name: string;
  readonly contender: Contender;
  run(milliseconds: number): Promise<Measured>;
}

export async function measureOidc(workbench: Workbench, print: Print): Promise<void> {
  const without = await open(workbench, 'without', 'login,rest');
  const withModule = await open(workbench, 'with', 'login,oidc,rest');
  const contenders = [without, withModule];
  try {
    const idle = contenders.map(({ server }) => residentMegabytes(server.pid).toFixed(0));
    print(`Memory after the start: ${idle[0]} MB without the module, ${idle[1]} MB with it.\n`);
    const cookies = await logIn(withModule.server);
    const works: readonly Work[] = [
      casWork(workbench, 'CAS cycle, without the module', without),
      casWork(workbench, 'CAS cycle, with the module', withModule),
      ...ALGORITHMS.map((algorithm) => signInWork(workbench, withModule, { algorithm, cookies })),
    ];
    await report(works, print);
    const after = contenders.map(({ server }) => residentMegabytes(server.pid).toFixed(0));
    print(`\nMemory after the load: ${after[0]} MB without the module, ${after[1]} MB with it.`);
  } finally {
    await Promise.all(contenders.map(({ server }) => server.stop()));
    await Promise.all(contenders.map(({ pool }) => pool.end()));
  }
}

/** Each has a server and a database of its own, so that their rounds alternate. */
async function open(workbench: Workbench, name: string, modules: string): Promise<Contender> {
  const url = await workbench.createDatabase(`oidc_${name}`);
  const dataSource = await connect({ url, applicationName: 'bench' });
  await migrate(dataSource);
  await dataSource.destroy();
  const pool = new pg.Pool({ connectionString: url, max: 2 });
  const tgts = await addSessions(pool, SESSIONS);
  await addClients(pool);
  await vacuumAndCheckpoint(pool);
  const port = name === 'with' ? 18_131 : 18_130;
  const server = await startSso(url, port, [
    '--management.port=0',
    `--sso.modules=${modules}`,
    '--sso.rate-limit.oidc=0',
    `--sso.oidc.sealing-keys=${newKeyFile('bench').trim()}`,
  ]);
  return { server, pool, tgts };
}

/** A public client for each algorithm. */
async function addClients(pool: pg.Pool): Promise<void> {
  for (const algorithm of ALGORITHMS) {
    const client = {
      redirectUris: [REDIRECT_URI],
      tokenEndpointAuthMethod: 'none',
      grantTypes: ['authorization_code', 'refresh_token'],
      scopes: ['openid', 'profile', 'email'],
      idTokenAlgorithm: algorithm,
    };
    await pool.query(
      `insert into registered_service (service_id, name, description, evaluation_order, client_id, client, attribute_release)
       values ('', $1, '', 1, $1, $2, '{"kind": "all"}')`,
      [algorithm, client],
    );
  }
}

/** @returns values of `Cookie`, one for each browser */
async function logIn({ port, prefix }: Server): Promise<readonly string[]> {
  const client = await Client.open(port);
  const cookies: string[] = [];
  for (let browser = 0; browser < BROWSERS; browser += 1) {
    const { body } = await client.get(`${prefix}/login`);
    const execution = /name="execution" value="([^"]*)"/.exec(body)?.[1] ?? '';
    const form = { username: 'casuser', password: 'Mellon', execution, _eventId: 'submit' };
    const { head } = await client.post(`${prefix}/login`, new URLSearchParams(form).toString());
    const cookie = /\r\nset-cookie: (TGC=[^;]+)/i.exec(head)?.[1];
    if (cookie === undefined) throw new Error('a login failed');
    cookies.push(cookie);
  }
  client.close();
  return cookies;
}

function casWork(workbench: Workbench, name: string, contender: Contender): Work {
  const { server, pool, tgts } = contender;
  return {
    name,
    contender,
    async run(milliseconds) {
      await touchSessions(pool, tgts);
      return measure(workbench, { server, tgts, connections: CONNECTIONS, milliseconds });
    },
  };
}

function signInWork(
  workbench: Workbench,
  contender: Contender,
  { algorithm, cookies }: { readonly algorithm: string; readonly cookies: readonly string[] },
): Work {
  const { server } = contender;
  return {
    name: `OIDC sign-in, ${algorithm}`,
    contender,
    async run(milliseconds) {
      const before = { own: cpuOf(server.pid), database: workbench.databaseCpu() };
      const result = await loadSignIns({
        port: server.port,
        prefix: server.prefix,
        connections: CONNECTIONS,
        milliseconds,
        cookies,
        clientId: algorithm,
        redirectUri: REDIRECT_URI,
      });
      if (result.failed > 0) throw new Error(`${result.failed} of ${result.cycles} failed`);
      return {
        ...result,
        ownCpu: ((cpuOf(server.pid) - before.own) * 1_000) / result.cycles,
        databaseCpu: ((workbench.databaseCpu() - before.database) * 1_000) / result.cycles,
      };
    },
  };
}

async function report(works: readonly Work[], print: Print): Promise<void> {
  const rounds = new Map<Work, { readonly measured: Measured; readonly statements: number }[]>();
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const work of works) {
      const before = await transactionsOf(work.contender.pool);
      const measured = await work.run(round === 0 ? WARM_UP : MILLISECONDS);
      const statements = (await transactionsOf(work.contender.pool)) - before;
      const known = rounds.get(work) ?? [];
      if (round > 0) known.push({ measured, statements: statements / measured.cycles });
      rounds.set(work, known);
    }
  }
  print(
    '| | a second | p50 ms | p99 ms | our CPU µs each | PostgreSQL CPU µs each | statements each |',
  );
  print('|---|---|---|---|---|---|---|');
  for (const { name } of works) {
    const measured = [...rounds].find(([work]) => work.name === name)?.[1] ?? [];
    const median = medianRound(measured.map((each) => each.measured));
    const statements = measured.find((each) => each.measured === median)?.statements ?? 0;
    const { perSecond, p50, p99, ownCpu, databaseCpu } = median;
    const cells = [perSecond.toFixed(0), p50.toFixed(2), p99.toFixed(2), ownCpu.toFixed(0)];
    print(
      `| ${name} | ${cells.join(' | ')} | ${databaseCpu.toFixed(0)} | ${statements.toFixed(1)} |`,
    );
  }
}

/** Those committed so far: a statement is one. */
async function transactionsOf(pool: pg.Pool): Promise<number> {
  await pause(STATISTICS_DELAY_MS);
  const { rows } = await pool.query<{ readonly commits: string }>(
    'select xact_commit as commits from pg_stat_database where datname = current_database()',
  );
  return Number(rows[0]?.commits);
}
