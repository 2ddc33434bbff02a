import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { configureLogging } from '@tessera/logging';
import { ReloadLog } from './reload-log.js';

let lines: { level: string; msg: string; cause: string; since: string }[];

beforeEach(() => {
  lines = [];
  const write = (line: string): unknown => lines.push(JSON.parse(line) as (typeof lines)[0]);
  configureLogging({ application: 'test', levels: {}, write });
});
afterEach(() => configureLogging({ application: 'test', levels: { root: 'warn' } }));

test('a long reload is logged once, with its start', async () => {
  const before = Date.now();
  await new ReloadLog(10).watch(['a', 'b'], sleep(40));
  const msg = 'a reload is still under way';
  expect(lines).toMatchObject([{ level: 'warn', cause: 'a, b', msg }]);
  expect(Math.abs(Date.parse(lines[0]?.since ?? '') - before)).toBeLessThan(10);
});

test.each([
  ['is over', () => Promise.resolve()],
  ['fails', () => Promise.reject(new Error('no'))],
])('one that %s sooner is not', async (_rule, run) => {
  await new ReloadLog(10).watch(['a'], run()).catch(() => {});
  await sleep(30);
  expect(lines).toEqual([]);
});
