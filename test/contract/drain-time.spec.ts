// SIGTERM with server.drain-time: the node says that it stops, serves on for that time, and then ends.
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
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

const LOGIN = { form: { username: 'casuser', password: 'Mellon' } };

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

const PROGRAMS: readonly (readonly [string, (setting: string) => Promise<Running>])[] = [
  ['the SSO application', sso],
  ['two workers of it', (setting) => sso(setting, '--sso.workers=2')],
  ['the config server', (setting) => startConfigServerNode(folder, [setting])],
];

describe.each(PROGRAMS)('%s', (_name, start) => {
  test('is alive, not ready, and accepts connections until the drain time is over or SIGINT arrives', async () => {
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
    expect(await http('GET', url, '/health/live')).toMatchObject({
      status: 200,
      headers: { connection: 'close' },
    });
    expect(await program.stop('SIGINT')).toMatchObject({ code: 0, signal: null });
  });

  test('ends by itself after the drain time', async () => {
    const { program } = await start('--server.drain-time=100ms');
    expect(await program.stop()).toMatchObject({ code: 0, signal: null });
  });
});

test('users log in during the drain time, and SIGINT has none', async () => {
  const { program, url } = await sso('--server.drain-time=1m');
  program.signal('SIGTERM');
  await program.waitForOutput(/"msg":"stopping"/);
  expect((await http('POST', url, '/v1/tickets', LOGIN)).status).toBe(201);
  expect(await program.stop('SIGINT')).toMatchObject({ code: 0 });
  const other = await sso('--server.drain-time=1m');
  expect(await other.program.stop('SIGINT')).toMatchObject({ code: 0 });
});
