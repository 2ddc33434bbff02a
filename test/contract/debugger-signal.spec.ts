// SIGUSR1, which opens Node's debugger, does nothing to our programs. The SSO application and its workers: https.spec.ts;
// `npm start`: test/tour/end-of-start.spec.ts.
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startConfigServerNode } from '../support/config-server-node.js';
import { expectDebuggerSignalIgnored } from '../support/debugger-signal.js';
import { makeFolder, removeFolder } from '../support/folders.js';
import { endPrograms } from '../support/process.js';

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  readonly scripts: Readonly<Record<string, string>>;
};

let folder: string;

beforeAll(async () => {
  folder = await makeFolder();
});
afterAll(async () => {
  await endPrograms();
  await removeFolder(folder);
});

test('SIGUSR1 opens no debugger and does not end the config server', async () => {
  const { program } = await startConfigServerNode(folder, [
    `--config-server.native.location=${folder}`,
  ]);
  await expectDebuggerSignalIgnored(program, 1);
});

test.each(['start', 'start:sso', 'start:config-server', 'stack'])(
  '`npm run %s` closes the debugger before the program runs',
  (script) => {
    expect(scripts[script]).toMatch(/^exec node --disable-sigusr1 /);
  },
);
