// SIGUSR1 opens Node's debugger on 127.0.0.1:9229, which shows every local user the variables of a process. In our programs
// the signal does nothing.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, readlinkSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startConfigServerNode } from '../support/config-server-node.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { makeFolder, removeFolder } from '../support/folders.js';
import { endPrograms, type Program } from '../support/process.js';
import { signalAll, treeOf } from '../support/process-table.js';
import { startNode } from '../support/sso-node.js';
import { until } from '../support/until.js';
import { TemporaryInstallation } from '../tour/temporary-installation.js';

const OPTION = '--disable-sigusr1';
const WORKERS = 2;
const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  readonly scripts: Readonly<Record<string, string>>;
};

let folder: string;
let database: TestDatabase;
let newcomer: TemporaryInstallation;

beforeAll(async () => {
  folder = await makeFolder();
  database = await createTestDatabase();
  newcomer = await TemporaryInstallation.create();
});
afterAll(async () => {
  await endPrograms();
  await newcomer.remove();
  await database.drop();
  await removeFolder(folder);
});

/** The program and all below it that Node runs: PostgreSQL has a use of its own for the signal. */
function nodeProcesses({ pid }: Program): readonly number[] {
  return treeOf(pid).filter((each) => readlinkSync(`/proc/${each}/exe`) === process.execPath);
}

const commandOf = (pid: number): string => readFileSync(`/proc/${pid}/cmdline`, 'utf8');

/** Waits until the debugger of another Node is open, which got the signal later. */
async function untilOthersDebuggerOpens(): Promise<void> {
  const idle = 'setInterval(() => {}, 1_000); console.log("up")';
  const other = spawn(process.execPath, ['--inspect-port=0', '--eval', idle]);
  let said = '';
  other.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
  await once(other.stdout, 'data');
  other.kill('SIGUSR1');
  await until("the other process's debugger is open", () => said.includes('Debugger listening'));
  other.kill('SIGKILL');
}

async function expectSignalIsIgnored(program: Program, processes: number): Promise<void> {
  const before = nodeProcesses(program);
  expect(before).toHaveLength(processes);
  signalAll(before, 'SIGUSR1');
  await untilOthersDebuggerOpens();
  expect(program.stderr).not.toMatch(/debugger|inspector/i);
  expect(nodeProcesses(program)).toEqual(before);
}

describe('SIGUSR1 opens no debugger and ends no process', () => {
  test('of the SSO application and its workers', async () => {
    const workers = `--sso.workers=${WORKERS}`;
    const { program } = await startNode(database.url, [workers]);
    const listening = (): number => program.stdout.match(/"msg":"listening"/g)?.length ?? 0;
    await until('all workers listen', () => listening() === WORKERS);
    await expectSignalIsIgnored(program, 1 + WORKERS);
    for (const pid of nodeProcesses(program).slice(1)) expect(commandOf(pid)).toContain(OPTION);
  });

  test('of the config server', async () => {
    const { program } = await startConfigServerNode(folder, [
      `--config-server.native.location=${folder}`,
    ]);
    await expectSignalIsIgnored(program, 1);
  });

  test('of `tessera start` and both applications', async () => {
    const program = await newcomer.start();
    await expectSignalIsIgnored(program, 3);
    for (const pid of nodeProcesses(program).slice(1)) expect(commandOf(pid)).toContain(OPTION);
  });
});

test.each(['start', 'start:sso', 'start:config-server', 'stack'])(
  '`npm run %s` closes the debugger before the program runs',
  (script) => {
    expect(scripts[script]).toMatch(new RegExp(`^exec node ${OPTION} `));
  },
);
