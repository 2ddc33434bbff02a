// `npm run stack -- --ha`: docker-compose.ha.yml as processes of Debian's packages.
import { existsSync } from 'node:fs';
import { afterEach, describe, expect, test } from '@jest/globals';
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

interface Member {
  readonly name: string;
  readonly role: string;
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
  let stack: RunningStack;

  afterEach(() => stack?.stop());

  async function members(): Promise<readonly Member[]> {
    const [, url = ''] = await stack.waitForOutput(/Patroni +(http:\S+)\/cluster/);
    const { body } = await http('GET', url, '/cluster');
    return (JSON.parse(body) as { readonly members: readonly Member[] }).members;
  }

  const nameOf = async (role: string): Promise<string | undefined> =>
    (await members()).find((each) => each.role === role)?.name;

  test('signs in through the proxy, keeps sessions when the standby takes over and a node is killed, and leaves nothing', async () => {
    stack = await RunningStack.start(undefined, ['--ha']);
    const sso = `http://localhost:${stack.ports.sso}/cas`;
    const login = { form: { username: 'casuser', password: 'Mellon' } };
    const { status, headers } = await http('POST', sso, '/v1/tickets', login);
    expect(status).toBe(201);
    const tgt = `/v1/tickets/${String(headers.location).split('/').at(-1)}`;
    const expectValidation = async (): Promise<void> => {
      const service = 'http://localhost:9000/app';
      const { body: ticket } = await http('POST', sso, tgt, { form: { service } });
      const path = `/p3/serviceValidate?service=${service}&ticket=${ticket}`;
      expect((await http('GET', sso, path)).body).toContain('<cas:user>casuser</cas:user>');
      expect((await http('GET', sso, path)).body).toContain('INVALID_TICKET');
    };
    await expectValidation();
    const token = { authorization: 'Bearer orders-for-development-only' };
    const config = `http://localhost:${stack.ports.config}`;
    const settings = await http('GET', config, '/orders-prod.properties', { headers: token });
    expect(settings.body).toContain('company.name: Example Ltd');

    const standby = await until('there is a synchronous standby', () => nameOf('sync_standby'));
    const leader = await nameOf('leader');
    const [, patroni = ''] = await stack.waitForOutput(/Patroni +(http:\S+)\/cluster/);
    const body = JSON.stringify({ leader, candidate: standby });
    expect((await http('POST', patroni, '/switchover', { body })).body).toContain('Successfully');
    await until('the standby takes over', async () => (await nameOf('leader')) === standby);
    await until('the session is there', async () => (await http('GET', sso, tgt)).status === 200);
    await until('tickets are granted', async () => {
      const form = { service: 'http://localhost:9000/app' };
      return (await http('POST', sso, tgt, { form })).status === 200;
    });
    await expectValidation();

    stack.kill('apps/sso/');
    await stack.waitForOutput(/stack: sso-\d ended with SIGKILL; starting it again/);
    await until('the other node answers', async () => (await http('GET', sso, tgt)).status === 200);

    const [folder = ''] =
      /\/\S+(?=\/db-\d\/settings)/.exec(stack.commandLineOf('patroni.yml')) ?? [];
    stack.signal('SIGINT');
    expect(await stack.ended).toMatchObject({ code: 0 });
    await until('nothing runs any more', () => processesOf(folder).length === 0);
    expect(existsSync(folder)).toBe(false);
  }, 300_000);
});
