// The built programs with traces: a node of two workers and a config server, and a fake receiver that fails and hangs.
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startConfigServerNode, type ConfigServerNode } from '../support/config-server-node.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { reply } from '../support/fake-http-server.js';
import { makeFolder, removeFolder } from '../support/folders.js';
import { freePort } from '../support/free-port.js';
import { http } from '../support/http.js';
import { OtlpReceiver } from '../support/otlp-receiver.js';
import { endPrograms } from '../support/process.js';
import { startNode, type SsoNode } from '../support/sso-node.js';
import { until } from '../support/until.js';
import { neverAnswer } from './handlers.js';

let folder: string;
let database: TestDatabase;
let receiver: OtlpReceiver;
let sso: SsoNode;
let configServer: ConfigServerNode;
let management: string;

beforeAll(async () => {
  folder = await makeFolder();
  await cp('config-repo', join(folder, 'config-repo'), { recursive: true });
  database = await createTestDatabase();
  receiver = await OtlpReceiver.start();
  const port = await freePort();
  management = `http://127.0.0.1:${port}`;
  const settings = ['--tracing.enabled=true', `--tracing.otlp.url=${receiver.url}`];
  const workers = ['--sso.workers=2', `--management.port=${port}`];
  [sso, configServer] = await Promise.all([
    startNode(database.url, [...settings, ...workers, '--logging.level.tracing=warn']),
    startConfigServerNode(folder, ['--profiles.active=dev', ...settings]),
  ]);
});
afterAll(async () => {
  await endPrograms();
  await receiver.stop();
  await database.drop();
  await removeFolder(folder);
});

async function logIn(): Promise<void> {
  const form = { username: 'casuser', password: 'Mellon' };
  const { status } = await http('POST', `http://127.0.0.1:${sso.port}/cas`, '/v1/tickets', {
    form,
  });
  expect(status).toBe(201);
}

/** The lines of lost spans that a program has logged. */
function lostLines(stdout: string): readonly string[] {
  return stdout.split('\n').filter((line) => line.includes('spans of traces were lost'));
}

async function lostSpans(reason: string): Promise<number> {
  const { body } = await http('GET', management, '/metrics');
  const series = new RegExp(`^tessera_spans_dropped_total\\{reason="${reason}"\\} (\\d+)`, 'm');
  return Number(series.exec(body)?.[1]);
}

test('a worker and the config server send the spans of their requests', async () => {
  await logIn();
  expect((await http('GET', configServer.url, '/orders/prod')).status).toBe(200);
  const nameOf = (service: string): readonly string[] =>
    receiver.spans.filter((span) => span.service === service).map(({ name }) => name);
  await until('both have come', () =>
    ['tessera-sso', 'tessera-config-server'].every((service) => nameOf(service).length > 0),
  );
  await until('the login has come', () => nameOf('tessera-sso').includes('POST /cas/v1/tickets'));
  expect(nameOf('tessera-sso')).toContain('authenticate');
  const [request] = receiver.spans.filter(
    ({ attributes }) => attributes['url.path'] === '/orders/prod',
  );
  const [read] = receiver.spans.filter(({ name }) => name === 'find native');
  expect(request).toMatchObject({ name: 'GET /{*path}', kind: 2 });
  expect(read?.parentSpanId).toBe(request?.spanId);
});

test('a receiver that answers 500 changes no answer, and the lost spans are counted and logged', async () => {
  receiver.respondWith(reply(500, ''));
  for (let index = 0; index < 20; index += 1) await logIn();
  await until('80 spans are lost', async () => (await lostSpans('export-failed')) >= 80);
  receiver.accept();
  // Each worker logs at most one line a minute.
  expect(lostLines(sso.program.stdout).length).toBeGreaterThan(0);
  expect(lostLines(sso.program.stdout).length).toBeLessThanOrEqual(2);
});

test('a receiver that never answers changes no answer, and does not keep the programs from ending', async () => {
  receiver.respondWith(neverAnswer);
  for (let index = 0; index < 10; index += 1) await logIn();
  await http('GET', configServer.url, '/orders/prod');
  const [node, server] = await Promise.all([sso.program.stop(), configServer.program.stop()]);
  expect([node.code, server.code]).toEqual([0, 0]);
  expect(lostLines(configServer.program.stdout).at(-1)).toMatch(/"spans":[23],"cause":"shutdown"/);
});
