// SIGTERM with server.drain-time: the node says that it stops, serves on for that time, and then ends.
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { startConfigServerNode } from '../support/config-server-node.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { makeFolder, removeFolder } from '../support/folders.js';
import { http } from '../support/http.js';
import { endPrograms, type Program } from '../support/process.js';
import { startNode } from '../support/sso-node.js';
import { until } from '../support/until.js';

interface Running {
  readonly program: Program;
  readonly url: string;
}

let database: TestDatabase;
let folder: string;

beforeAll(async () => {
  database = await createTestDatabase();
  folder = await makeFolder();
});
afterEach(endPrograms);
afterAll(async () => {
  await database.drop();
  await removeFolder(folder);
});

async function sso(...settings: readonly string[]): Promise<Running> {
  const { program, port } = await startNode(database.url, settings);
  return { program, url: `http://127.0.0.1:${port}/cas` };
}

interface Row {
  readonly program: string;
  readonly start: (setting: string) => Promise<Running>;
  /** What it still serves. */
  readonly method: string;
  readonly path: string;
  readonly form?: Readonly<Record<string, string>>;
  readonly status: number;
}

const USER = { username: 'casuser', password: 'Mellon' };
const LOGIN = { method: 'POST', path: '/v1/tickets', form: USER, status: 201 };
const PROGRAMS: readonly Row[] = [
  { program: 'the SSO application', start: sso, ...LOGIN },
  { program: 'two workers of it', start: (setting) => sso(setting, '--sso.workers=2'), ...LOGIN },
  {
    program: 'the config server',
    start: (setting) => startConfigServerNode(folder, [setting]),
    method: 'GET',
    path: '/health/live',
    status: 200,
  },
];

test.each(PROGRAMS)(
  '$program is alive, not ready, and serves until SIGINT arrives',
  async ({ start, method, path, form, status }) => {
    const { program, url } = await start('--server.drain-time=1m');
    expect(await http('GET', url, '/health/ready')).toMatchObject({ status: 200 });
    program.signal('SIGTERM');
    const ready = await until('it is not ready', async () => {
      const reply = await http('GET', url, '/health/ready');
      return reply.status === 503 ? reply : undefined;
    });
    expect(ready.body).toContain('"status":"shutting_down"');
    expect(ready.headers.connection).toBe('close');
    program.signal('SIGTERM');
    expect(await http(method, url, path, form && { form })).toMatchObject({
      status,
      headers: { connection: 'close' },
    });
    expect(await program.stop('SIGINT')).toMatchObject({ code: 0, signal: null });
  },
);

test('workers end by themselves after the drain time', async () => {
  const { program } = await sso('--server.drain-time=100ms', '--sso.workers=2');
  expect(await program.stop()).toMatchObject({ code: 0, signal: null });
});

test('SIGINT has no drain time', async () => {
  const { program } = await startConfigServerNode(folder, ['--server.drain-time=1m']);
  expect(await program.stop('SIGINT')).toMatchObject({ code: 0, signal: null });
});
