// SIGUSR1, which opens Node's debugger, does nothing to our programs. `npm start`: test/tour/end-of-start.spec.ts.
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startConfigServerNode } from '../support/config-server-node.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { expectDebuggerSignalIgnored } from '../support/debugger-signal.js';
import { makeFolder, removeFolder } from '../support/folders.js';
import { endPrograms } from '../support/process.js';
import { startNode } from '../support/sso-node.js';
import { until } from '../support/until.js';

const WORKERS = 2;
const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  readonly scripts: Readonly<Record<string, string>>;
};

let folder: string;
let database: TestDatabase;

beforeAll(async () => {
  folder = await makeFolder();
  database = await createTestDatabase();
});
afterAll(async () => {
  await endPrograms();
  await database.drop();
  await removeFolder(folder);
});

describe('SIGUSR1 opens no debugger and ends no process', () => {
  test('of the SSO application and its workers', async () => {
    const workers = `--sso.workers=${WORKERS}`;
    const { program } = await startNode(database.url, [workers]);
    const listening = (): number => program.stdout.match(/"msg":"listening"/g)?.length ?? 0;
    await until('all workers listen', () => listening() === WORKERS);
    await expectDebuggerSignalIgnored(program, 1 + WORKERS);
  });

  test('of the config server', async () => {
    const { program } = await startConfigServerNode(folder, [
      `--config-server.native.location=${folder}`,
    ]);
    await expectDebuggerSignalIgnored(program, 1);
  });
});

test.each(['start', 'start:sso', 'start:config-server', 'stack'])(
  '`npm run %s` closes the debugger before the program runs',
  (script) => {
    expect(scripts[script]).toMatch(/^exec node --disable-sigusr1 /);
  },
);
