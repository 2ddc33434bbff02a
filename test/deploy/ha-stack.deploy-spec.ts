// `npm run stack -- --ha`: docker-compose.ha.yml as processes of Debian's packages.
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import pg from 'pg';
import { RunningStack } from '../stack/running-stack.js';
import { http } from '../support/http.js';
import { processesOf } from '../support/process-table.js';
import { until } from '../support/until.js';
import { isVaultAvailable } from '../support/vault-dev/program.js';

const PROGRAMS = [
  '/usr/bin/patroni',
  '/usr/bin/etcd',
  '/usr/sbin/haproxy',
  '/usr/lib/python3/dist-packages/etcd',
  '/usr/lib/postgresql/15/bin/postgres',
];
const isInstalled = isVaultAvailable() && PROGRAMS.every((program) => existsSync(program));
if (!isInstalled) process.stderr.write('left out: npm run stack -- --ha; a program is missing\n');

const TIMEOUT_MS = 300_000;
jest.setTimeout(TIMEOUT_MS);

interface Cluster {
  readonly members: readonly { readonly name: string; readonly role: string }[];
}

test('names the packages that are missing, in one line, and starts nothing', async () => {
  const env = { ...process.env, HAPROXY: '/none', POSTGRESQL: '/none' };
  const { code, output } = await RunningStack.spawn(env, ['--ha']).ended;
  expect(code).toBe(1);
  expect(output).toMatch(
    /^stack: --ha needs Debian's packages; install haproxy, .*postgresql-15\n$/,
  );
});

(isInstalled ? describe : describe.skip)('npm run stack -- --ha', () => {
  const service = 'http://localhost:9000/app';
  let stack: RunningStack;
  let sso: string;
  /** Path of the session. */
  let tgt: string;

  beforeAll(async () => {
    stack = await RunningStack.start(undefined, ['--ha']);
    sso = `http://localhost:${stack.ports.sso}/cas`;
    const form = { username: 'casuser', password: 'Mellon' };
    const { status, headers } = await http('POST', sso, '/v1/tickets', { form });
    expect(status).toBe(201);
    tgt = `/v1/tickets/${String(headers.location).split('/').at(-1)}`;
  }, TIMEOUT_MS);
  afterAll(() => stack?.stop());

  async function call(method: string, path: string, body?: object): Promise<string> {
    const [, url = ''] = await stack.waitForOutput(/Patroni +(http:\S+)\/cluster/);
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    return (await http(method, url, path, sent)).body;
  }

  async function nameOf(role: string): Promise<string | undefined> {
    const { members } = JSON.parse(await call('GET', '/cluster')) as Cluster;
    return members.find((each) => each.role === role)?.name;
  }

  async function grant(): Promise<string | undefined> {
    const { status, body } = await http('POST', sso, tgt, { form: { service } });
    return status === 200 ? body : undefined;
  }

  /** Expects that a ticket is accepted once, while all parts are well again. */
  async function expectValidation(): Promise<void> {
    await until('the session is there', async () => (await http('GET', sso, tgt)).status === 200);
    const ticket = await until('a ticket is granted', grant);
    const path = `/p3/serviceValidate?service=${service}&ticket=${ticket}`;
    expect((await http('GET', sso, path)).body).toContain('<cas:user>casuser</cas:user>');
    expect((await http('GET', sso, path)).body).toContain('INVALID_TICKET');
  }

  test('grants and validates tickets, and serves settings, through the proxy', async () => {
    await expectValidation();
    const headers = { authorization: 'Bearer orders-for-development-only' };
    const config = `http://localhost:${stack.ports.config}`;
    const { body } = await http('GET', config, '/orders-prod.properties', { headers });
    expect(body).toContain('company.name: Example Ltd');
  });

  test('cuts the connections to a primary whose Patroni does not answer', async () => {
    const leader = `/${await until('there is a leader', () => nameOf('leader'))}/settings`;
    const [, url = ''] = await stack.waitForOutput(/database +(postgres:\S+)/);
    const client = new pg.Client(url);
    await client.connect();
    const cut = once(client, 'error');
    stack.kill(leader, 'SIGSTOP');
    await cut;
    stack.kill(leader, 'SIGCONT');
    await expectValidation();
  });

  test('keeps sessions when the standby takes over', async () => {
    const candidate = await until('there is a synchronous standby', () => nameOf('sync_standby'));
    const leader = await nameOf('leader');
    expect(await call('POST', '/switchover', { leader, candidate })).toContain('Successfully');
    await until('the standby is primary', async () => (await nameOf('leader')) === candidate);
    await expectValidation();
  });

  test('starts a node again that was stopped by SIGTERM', async () => {
    stack.kill('apps/sso/', 'SIGTERM');
    await stack.waitForOutput(/stack: sso-\d ended with code 0; starting it again/);
    await expectValidation();
  });

  test('starts a killed node and a killed Patroni again, and leaves nothing on Ctrl-C', async () => {
    for (const part of ['apps/sso/', 'patroni.yml']) stack.kill(part);
    for (const name of ['sso', 'db']) {
      await stack.waitForOutput(
        new RegExp(`stack: ${name}-. ended with SIGKILL; starting it again`),
      );
    }
    await expectValidation();
    const [folder = ''] =
      /\/\S+(?=\/db-\d\/settings)/.exec(stack.commandLineOf('patroni.yml')) ?? [];
    stack.signal('SIGINT');
    expect(await stack.ended).toMatchObject({ code: 0 });
    await until('nothing runs any more', () => processesOf(folder).length === 0);
    expect(existsSync(folder)).toBe(false);
  });
});
