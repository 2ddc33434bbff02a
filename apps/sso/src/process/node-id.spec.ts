import { execFileSync } from 'node:child_process';
import { expect, test } from '@jest/globals';
import { nodeId } from './node-id.js';

test('single processes are nodes of their own', () => {
  expect(nodeId(undefined)).not.toBe(nodeId(undefined));
});

test('the processes of one primary process are one node, and the id reveals nothing', () => {
  const id = nodeId(process.ppid);
  expect(nodeId(process.ppid)).toBe(id);
  expect(id).toMatch(/^[\w-]{43}$/);
});

test('workers of another primary process are another node', () => {
  const module = new URL('node-id.ts', import.meta.url).pathname;
  const print = `console.log((await import('${module}')).nodeId(process.ppid))`;
  const other = (): string =>
    execFileSync(process.execPath, ['--input-type=module', '-e', print], { encoding: 'utf8' });
  expect(other()).toBe(other());
  expect(other().trim()).not.toBe(nodeId(process.ppid));
});
