// `npm start` ends with all it has started, however it is ended, and starts again what dies.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { endPrograms, type Program } from '../support/process.js';
import { signalAll, treeOf } from '../support/process-table.js';
import { until } from '../support/until.js';
import { Newcomer } from './newcomer.js';

let ada: Newcomer;

async function arrive(): Promise<void> {
  ada = await Newcomer.arrive();
}

async function expectGoodEnd(start: Program): Promise<void> {
  expect(await start.ended).toEqual({ code: 0, signal: null });
  await ada.untilNothingRuns();
}

/** Everything below it, the database too. */
function killChildren(start: Program): void {
  signalAll(treeOf(start.pid).slice(1), 'SIGKILL');
}

describe('npm start', () => {
  // One database for all: making it is the most of a first start.
  beforeAll(arrive);
  afterEach(endPrograms);
  afterAll(() => ada.leave());

  test.each<[string, (start: Program) => void]>([
    ['Ctrl-C', (start) => start.signalGroup('SIGINT')],
    ['SIGINT to it alone', (start) => start.signal('SIGINT')],
    ['SIGTERM', (start) => start.signal('SIGTERM')],
  ])('ends with all it has started on %s, with 0', async (_, end) => {
    const start = await ada.start();
    end(start);
    await expectGoodEnd(start);
  });

  test('ends with all on a second, impatient Ctrl-C, with 0', async () => {
    const start = await ada.start();
    start.signalGroup('SIGINT');
    await start.says(/"msg":"stopping"/);
    start.signalGroup('SIGINT');
    await expectGoodEnd(start);
  });

  test('ends with all when its terminal is closed', async () => {
    const terminal = ada.typeStartAtTerminal();
    await terminal.says(/Ctrl-C stops everything\./);
    await terminal.kill();
    await ada.untilNothingRuns();
  });

  test('goes on when it is told to reload', async () => {
    const start = await ada.start();
    start.signalGroup('SIGHUP');
    for (const name of ['sso', 'config-server']) {
      await start.says(new RegExp(`"application":"${name}".*"cause":"SIGHUP"`));
    }
    start.signal('SIGTERM');
    await expectGoodEnd(start);
  });

  test('ends with all when it is killed', async () => {
    const start = await ada.start();
    await start.kill();
    await ada.untilNothingRuns();
  });

  test('ends with all when the npm that runs it is killed', async () => {
    const npm = await ada.typeNpmStart();
    await npm.says(/Ctrl-C stops everything\./);
    npm.signal('SIGKILL');
    await ada.untilNothingRuns();
  });

  test('goes on when the shell that started it in the background has ended', async () => {
    const start = ada.typeStartDetached();
    await start.says(/Ctrl-C stops everything\./);
    expect(await ada.statusOf(await ada.login())).toBe(200);
    start.signalGroup('SIGTERM');
    await ada.untilNothingRuns();
  });

  test('ends on Ctrl-C while applications that died wait for their new start, with 0', async () => {
    const start = await ada.start();
    killChildren(start);
    await until('both are dead', () => start.stderr.match(/starting it again/g)?.length === 2);
    start.signalGroup('SIGINT');
    await expectGoodEnd(start);
  });

  test('starts an application again that dies', async () => {
    const start = await ada.start();
    const tgt = await ada.login();
    killChildren(start);
    await until('it serves again', async () => (await ada.statusOf(tgt).catch(() => 0)) === 200);
    expect(start.stderr).toMatch(/^sso ended \(SIGKILL\); starting it again$/m);
    start.signal('SIGTERM');
    await expectGoodEnd(start);
  });
});

describe('npm start in a new directory ends with all it has started', () => {
  beforeEach(arrive);
  afterEach(() => ada.leave());

  test('on Ctrl-C while the database is being made, with 0', async () => {
    const start = ada.typeStart();
    await until('the database is being made', () => ada.hasMade('data.unfinished'));
    start.signalGroup('SIGINT');
    await expectGoodEnd(start);
  });

  test('when it is killed while the database starts', async () => {
    const start = ada.typeStart();
    await until('there is a database server', () => ada.hasMade('postgresql.conf'));
    await start.kill();
    await ada.untilNothingRuns();
  });
});
