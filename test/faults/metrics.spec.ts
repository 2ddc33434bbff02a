// A real Prometheus scrapes a node of two workers and a config server under load with errors, then PostgreSQL stops.
import { copyFile, cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { RegisteredServiceEntity } from '@tessera/services';
import { startConfigServerNode, type ConfigServerNode } from '../support/config-server-node.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { makeFolder, removeFolder } from '../support/folders.js';
import { freePort } from '../support/free-port.js';
import { http } from '../support/http.js';
import { endPrograms } from '../support/process.js';
import { describeWithPrometheus, Prometheus, promtool } from '../support/prometheus.js';
import { APP, registerApp, startNode } from '../support/sso-node.js';
import { DatabaseProxy } from '../support/tcp-proxy.js';
import { until } from '../support/until.js';

/** This run has 302 and 105. */
const MAX_SERIES = { 'tessera-sso': 350, 'tessera-config-server': 120 };

const TOKEN = 'a-token-of-operators-0123456789';

let folder: string;
let database: TestDatabase;
let databaseProxy: DatabaseProxy;
let sso: string;
let configServer: ConfigServerNode;
let prometheus: Prometheus;
const metricsOf: Record<string, string> = {};

/** What the load has done. */
const done = { accepted: 0, refused: 0, granted: 0, validated: 0, invalid: 0, notFound: 0 };

describeWithPrometheus('Prometheus', () => {
  beforeAll(async () => {
    folder = await makeFolder();
    await cp('config-repo', join(folder, 'config-repo'), { recursive: true });
    database = await createTestDatabase({ entities: [RegisteredServiceEntity] });
    await registerApp(database.dataSource);
    databaseProxy = new DatabaseProxy(database.url);
    await databaseProxy.set('open');
    const [ssoPort, configPort] = [await freePort(), await freePort()];
    const [node, server] = await Promise.all([
      startNode(databaseProxy.url, [
        '--sso.workers=2',
        `--management.port=${ssoPort}`,
        `--sso.management.token=${TOKEN}`,
        '--sso.services.poll-interval=200ms',
      ]),
      startConfigServerNode(folder, ['--profiles.active=dev', `--management.port=${configPort}`]),
    ]);
    sso = `http://127.0.0.1:${node.port}/cas`;
    configServer = server;
    metricsOf['tessera-sso'] = `http://127.0.0.1:${ssoPort}`;
    metricsOf['tessera-config-server'] = `http://127.0.0.1:${configPort}`;
    await writeConfiguration(ssoPort, configPort);
    prometheus = await Prometheus.start(folder);
  });
  afterAll(async () => {
    await prometheus?.stop();
    await endPrograms();
    await databaseProxy?.close();
    await database?.drop();
    await removeFolder(folder);
  });

  test('has as many series after strange requests as before, and the counts of what was done', async () => {
    await loadWithErrors(1);
    await untilScraped();
    const before = await series();
    await loadWithErrors(2);
    await untilScraped();
    const after = await series();

    expect(after).toEqual(before);
    for (const [job, limit] of Object.entries(MAX_SERIES)) {
      expect(after[job]).toBeGreaterThan(limit / 2);
      expect(after[job]).toBeLessThan(limit);
    }
    const counts = await Promise.all(
      [
        'tessera_logins_total{outcome="accepted",handler="static"}',
        'tessera_logins_total{outcome="refused"}',
        'tessera_tickets_granted_total{kind="ST"}',
        'tessera_tickets_validated_total',
        'tessera_tickets_refused_total{operation="validate",reason="INVALID_TICKET"}',
        'tessera_tickets_refused_total{operation="grant",reason="GRANTING_TICKET_NOT_FOUND"}',
        'tessera_http_requests_total{route="unmatched",job="tessera-sso"} > 0',
        'tessera_cipher_operations_total{operation="decrypt",outcome="failure"}',
      ].map((expression) => prometheus.value(`sum(${expression})`)),
    );
    const { accepted, refused, granted, validated, invalid, notFound } = done;
    expect(counts).toEqual([accepted, refused, granted, validated, invalid, notFound, 8, 2]);
  });

  test('finds no fault in the metrics, and runs every expression of the dashboard', async () => {
    for (const url of Object.values(metricsOf)) {
      const { body, headers } = await http('GET', url, '/metrics');
      expect(headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8');
      expect(promtool(['check', 'metrics'], body)).toBe('');
    }
    const empty: string[] = [];
    for (const expression of await dashboardExpressions()) {
      if ((await prometheus.query(expression)).length === 0) empty.push(expression);
    }
    // Vault is not in this run, and no alert fires yet.
    expect(empty.filter((each) => !/vault|ALERTS/.test(each))).toEqual([]);
  });

  test('is all that the management servers have for callers without rights', async () => {
    for (const url of Object.values(metricsOf)) {
      const post = await http('POST', url, '/metrics');
      expect([post.status, post.headers.allow]).toEqual([405, 'GET, HEAD']);
      for (const path of ['/orders/prod', '/orders-prod.yml', '/encrypt', '/nowhere']) {
        const { status, body } = await http('GET', url, path);
        expect(status).toBe(404);
        expect(body).not.toContain('.management');
      }
    }
  });

  test('has the routes that the alerts select', async () => {
    const rules = await readFile('deploy/prometheus/tessera-rules.yml', 'utf8');
    const [selected, ...others] = Array.from(rules.matchAll(/route=~"[^"]+"/g), ([text]) => text);
    expect([selected, others]).toEqual([expect.any(String), []]);
    const found = await prometheus.query(
      `count by (route) (tessera_http_request_duration_seconds_count{${selected}})`,
    );
    expect(found.map(({ metric }) => metric['route']).toSorted()).toEqual([
      '/cas/p3/serviceValidate',
      '/cas/serviceValidate',
      '/cas/v1/tickets/:tgt',
    ]);
  });

  test('leaves the API for operators alone, which the primary process has', async () => {
    const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ url: 'https://app.example.org/' });
    const call = (method: string, path: string) =>
      http(method, metricsOf['tessera-sso'] ?? '', `/api/v1/${path}`, { headers, body });
    expect((await call('POST', 'services/dry-run')).body).toContain('"decision":"allowed"');
    expect((await call('GET', 'metrics')).body).toContain('tessera_logins_total');
    expect((await call('GET', 'openapi.json')).body).toContain('/api/v1/services/dry-run');
  });

  test('has no alert before PostgreSQL stops, and those of the database after it', async () => {
    expect(await firing()).toEqual([]);

    await databaseProxy.set('refuse');
    databaseProxy.cut();
    const expected = [
      'TesseraDatabaseUnavailable',
      'TesseraLoginsUndecided',
      'TesseraServerErrors',
    ];
    await until('the alerts of the database fire', async () => {
      await logIn();
      const names = await firing();
      return expected.every((name) => names.includes(name));
    });
    expect(await firing()).toEqual(expected);

    await configServer.program.stop();
    await until('the alert of the config server fires', async () =>
      (await firing()).includes('TesseraDown'),
    );
  });
});

/** Without the alert of a slow event loop, which a busy machine fires. */
async function firing(): Promise<readonly string[]> {
  const names = await prometheus.firing();
  return names.filter((name) => name !== 'TesseraEventLoopBlocked');
}

/** The files of deploy/prometheus, with short times and with these ports. */
async function writeConfiguration(ssoPort: number, configPort: number): Promise<void> {
  const files = 'deploy/prometheus';
  expect(promtool(['check', 'config', `${files}/prometheus.yml`])).toBe('');
  const configuration = await readFile(`${files}/prometheus.yml`, 'utf8');
  const rules = await readFile(`${files}/tessera-rules.yml`, 'utf8');
  await writeFile(
    join(folder, 'prometheus.yml'),
    configuration
      .replaceAll('15s', '1s')
      .replace('8081', String(ssoPort))
      .replace('8889', String(configPort)),
  );
  await writeFile(join(folder, 'tessera-rules.yml'), rules.replaceAll(/for: \d+m/g, 'for: 1s'));
  await copyFile('deploy/grafana/tessera.json', join(folder, 'tessera.json'));
}

/** Requests of each kind, with texts that no other round has. */
async function loadWithErrors(round: number): Promise<void> {
  for (let index = 0; index < 4; index += 1) {
    const strange = `round-${round}-${index}`;
    await logIn(`user-${strange}`, 'wrong');
    done.refused += 1;
    await signIn(strange);
    await http('GET', sso, `/${strange}`);
    await http('GET', configServer.url, `/${strange}/default`);
    await http('GET', configServer.url, `/orders/prod?x=${strange}`);
  }
  for (const method of ['PUT', 'PROPFIND', 'DELETE']) await http(method, sso, '/login');
  const secret = await http('POST', configServer.url, '/encrypt', { body: 'a secret' });
  await http('POST', configServer.url, '/decrypt', { body: secret.body });
  await http('POST', configServer.url, '/decrypt', { body: `${round}${secret.body.slice(2)}` });
  await http('GET', sso, '/login');
  await http('GET', sso, '/health/ready');
}

/** Logs in, gets a ticket and validates it twice; and asks for a ticket of a session that does not exist. */
async function signIn(strange: string): Promise<void> {
  const { body: tgt } = await logIn();
  done.accepted += 1;
  const { body: ticket } = await http('POST', sso, `/v1/tickets/${tgt}`, {
    form: { service: APP },
  });
  done.granted += 1;
  const query = `/p3/serviceValidate?service=${encodeURIComponent(APP)}&ticket=${ticket}`;
  expect((await http('GET', sso, query)).status).toBe(200);
  done.validated += 1;
  expect((await http('GET', sso, query)).status).toBe(400);
  await http('GET', sso, `/serviceValidate?service=${strange}&ticket=ST-${strange}`);
  done.invalid += 2;
  await http('POST', sso, `/v1/tickets/TGT-${strange}`, {
    form: { service: `https://${strange}` },
  });
  done.notFound += 1;
}

function logIn(username = 'casuser', password = 'Mellon') {
  const headers = { accept: 'text/plain' };
  return http('POST', sso, '/v1/tickets', { form: { username, password }, headers });
}

/** Waits until Prometheus has scraped both applications after this moment. */
async function untilScraped(): Promise<void> {
  const now = Date.now() / 1_000;
  await until('both applications are scraped', async () => {
    const times = await prometheus.query('timestamp(up)');
    return times.length === 2 && times.every(({ value }) => value > now);
  });
}

/** The number of series by job. Node's own vary with its open sockets. */
async function series(): Promise<Readonly<Record<string, number>>> {
  const counts = await prometheus.query(
    'count by (job) ({__name__=~"(tessera|process|nodejs)_.*"})',
  );
  return Object.fromEntries(counts.map(({ metric, value }) => [metric['job'], value]));
}

async function dashboardExpressions(): Promise<readonly string[]> {
  const text = await readFile(join(folder, 'tessera.json'), 'utf8');
  const dashboard = JSON.parse(text) as {
    readonly panels: readonly { readonly targets?: readonly { readonly expr: string }[] }[];
  };
  return dashboard.panels.flatMap(({ targets = [] }) =>
    targets.map(({ expr }) =>
      expr
        .replaceAll('$__rate_interval', '1m')
        .replaceAll('$job', '.*')
        .replaceAll('$instance', '.*'),
    ),
  );
}
