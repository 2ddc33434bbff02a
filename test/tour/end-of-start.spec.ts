// `npm start` stops all its processes, however it is ended, and restarts applications that die. Ctrl-C, and a
// second, impatient one: npm-start.spec.ts; SIGTERM to it alone: test/contract/reload-triggers.spec.ts.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { expectDebuggerSignalIgnored } from '../support/debugger-signal.js';
import { endPrograms, type Program } from '../support/process.js';
import { postmasterOf } from '../support/postmaster.js';
import { processesOf, signalAll, treeOf } from '../support/process-table.js';
import { until } from '../support/until.js';
import { TemporaryInstallation } from './temporary-installation.js';

let installation: TemporaryInstallation;

async function createInstallation(): Promise<void> {
  installation = await TemporaryInstallation.create();
}

async function expectCleanExit(start: Program): Promise<void> {
  expect(await start.ended).toEqual({ code: 0, signal: null });
  await installation.untilNothingRuns();
}

/** Whether the server and its processes are all that is left of the installation. */
function runsDatabaseAlone(): boolean {
  const { folder } = installation;
  const database = treeOf(postmasterOf(`${folder}/.data/postgres`));
  return processesOf(folder).every((pid) => database.includes(pid));
}

/** Kills all descendants, the database included. */
function killChildren(start: Program): void {
  signalAll(treeOf(start.pid).slice(1), 'SIGKILL');
}

describe('npm start', () => {
  // The tests share a database, because creating it takes most of a first start.
  beforeAll(createInstallation);
  afterEach(endPrograms);
  afterAll(() => installation.remove());

  test('reloads by SIGHUP at a terminal, and ends with all when the terminal is closed', async () => {
    const terminal = installation.spawnStartAtTerminal();
    await terminal.waitForOutput(/Ctrl-C stops everything\./);
    // What the terminal runs: `script` itself stays.
    signalAll(treeOf(terminal.pid).slice(1), 'SIGHUP');
    // By both applications, in the form for people.
    await terminal.waitForOutput(/(?:settings were read again.*"cause":"SIGHUP[^]*){2}/);
    await terminal.kill();
    await installation.untilNothingRuns();
  });

  test('ends its applications when it is killed, and ends with all after another start', async () => {
    const killed = await installation.start();
    await killed.kill();
    await until('the database alone runs', () => runsDatabaseAlone());
    const start = await installation.start();
    start.signalGroup('SIGINT');
    await expectCleanExit(start);
  });

  test('ends with all when the npm that runs it is killed', async () => {
    const npm = await installation.spawnNpmStart();
    await npm.waitForOutput(/Ctrl-C stops everything\./);
    npm.signal('SIGKILL');
    await installation.untilNothingRuns();
  });

  test('goes on when the shell that started it in the background has ended', async () => {
    const start = installation.spawnStartDetached();
    await start.waitForOutput(/Ctrl-C stops everything\./);
    expect(await installation.statusOf(await installation.login())).toBe(200);
    start.signalGroup('SIGTERM');
    await installation.untilNothingRuns();
  });

  test('goes on on SIGUSR1 and SIGHUP, starts an application again that dies, and ends on Ctrl-C while it waits to do so, with 0', async () => {
    const start = await installation.start();
    await expectDebuggerSignalIgnored(start, 3);
    start.signalGroup('SIGHUP');
    for (const name of ['sso', 'config-server']) {
      await start.waitForOutput(new RegExp(`"application":"${name}".*"cause":"SIGHUP"`));
    }
    const tgt = await installation.login();
    killChildren(start);
    await until(
      'it serves again',
      async () => (await installation.statusOf(tgt).catch(() => 0)) === 200,
    );
    expect(start.stderr).toMatch(/^sso ended \(SIGKILL\); starting it again$/m);
    // Ctrl-C while both wait for their next start.
    const count = (): number => start.stderr.match(/starting it again/g)?.length ?? 0;
    const before = count();
    killChildren(start);
    await until('both are dead', () => count() === before + 2);
    start.signalGroup('SIGINT');
    await expectCleanExit(start);
  });
});

describe('npm start in a new directory ends with all it has started', () => {
  beforeEach(createInstallation);
  afterEach(() => installation.remove());

  test('on Ctrl-C while the database is being made, with 0', async () => {
    const start = installation.spawnStart();
    await until('the database is being made', () => installation.databaseHas('data.unfinished'));
    start.signalGroup('SIGINT');
    await expectCleanExit(start);
  });
});
