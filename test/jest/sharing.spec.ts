// Specs share what they do not change: the realm, the packages and the modules of the project in their worker.
import { readFileSync } from 'node:fs';
import { createRequire, Module } from 'node:module';
import { expect, test } from '@jest/globals';
import WorkerRealm from './environment.js';

const require = createRequire(import.meta.url);
/** The modules that Node itself has loaded. */
const { _cache: loaded } = Module as unknown as { readonly _cache: object };

test.each(['@nestjs/common', 'class-validator', 'pg', 'typeorm'])('%s is shared', async (name) => {
  await import(name);
  expect(Object.keys(loaded)).toContain(require.resolve(name));
});

test('modules of the project are shared, and those of specs are not', async () => {
  const evaluated = (path: string): boolean =>
    Object.keys(loaded).some((key) => key.endsWith(path));
  await import('@tessera/runtime');
  await import('../support/until.js');
  expect(evaluated('libs/runtime/src/index.ts')).toBe(true);
  expect(evaluated('test/support/until.ts')).toBe(false);
});

test('errors of Node are instances of Error', () => {
  expect(() => readFileSync('/nowhere')).toThrow(Error);
});

test('what a spec leaves in its process is undone', async () => {
  const before = { ...process.env };
  const hangUp = process.listenerCount('SIGHUP');
  const realm = new WorkerRealm({ projectConfig: { fakeTimers: {} } as never });
  process.env['LEFT_OVER'] = '1';
  process.exitCode = 1;
  process.on('SIGHUP', () => {});
  Object.assign(globalThis, { leftOver: 1 });
  await realm.teardown();
  expect(process.env).toEqual(before);
  expect(process.exitCode).not.toBe(1);
  expect(process.listenerCount('SIGHUP')).toBe(hangUp);
  expect(globalThis).not.toHaveProperty('leftOver');
});
