import { AsyncLocalStorage } from 'node:async_hooks';
import { afterEach, expect, test } from '@jest/globals';
import { OperationChannel, type Settled } from './operation-channel.js';

interface Named {
  readonly name: string;
}

const channel = new OperationChannel<Named>('test:operation-channel');
const storage = new AsyncLocalStorage<string>();
const ended: (Named & Settled)[] = [];
let stop = (): void => {};

/** @param storeOf the store of an operation */
function observe(storeOf: (name: string) => string | undefined = (name) => name): void {
  stop = channel.observe(storage, ({ name }) => {
    const store = storeOf(name);
    const end = ({ error, result }: Settled): unknown =>
      ended.push({ name, ...(error === undefined ? { result } : { error }) });
    return store === undefined ? undefined : { store, end };
  });
}

afterEach(() => {
  stop();
  ended.length = 0;
});

test('gives back the promise of the work itself while nobody observes', () => {
  const promise = Promise.resolve(1);
  expect(channel.run({ name: 'a' }, () => promise)).toBe(promise);
  expect(channel.hasObserver).toBe(false);
});

test('ends an operation that throws before it waits, once', () => {
  observe();
  const error = new Error('no');
  const work = (): Promise<never> => {
    throw error;
  };
  expect(() => channel.run({ name: 'a' }, work)).toThrow(error);
  expect(ended).toEqual([{ name: 'a', error }]);
});

test('ends an operation that fails, once, and passes its error on', async () => {
  observe();
  const error = new Error('no');
  await expect(channel.run({ name: 'a' }, () => Promise.reject(error))).rejects.toBe(error);
  expect(ended).toEqual([{ name: 'a', error }]);
});

test('ends an operation with a callback, once, and passes its error or its result on', () => {
  observe();
  const received: unknown[] = [];
  const call = (...outcome: readonly unknown[]): unknown =>
    channel.runWithCallback(
      { name: 'b' },
      (callback) => (callback as (...values: readonly unknown[]) => void)(...outcome),
      [(...values: readonly unknown[]) => received.push(values)],
    );
  call('no');
  call(null, 2);
  expect(received).toEqual([['no'], [null, 2]]);
  expect(ended).toEqual([
    { name: 'b', error: 'no' },
    { name: 'b', result: 2 },
  ]);
});

test('has its store while it runs, and one that is not observed has that of the caller', async () => {
  observe((name) => (name === 'none' ? undefined : name));
  const store = async () => {
    await Promise.resolve();
    return storage.getStore();
  };
  const [own, kept] = await storage.run('outer', () =>
    Promise.all([channel.run({ name: 'inner' }, store), channel.run({ name: 'none' }, store)]),
  );
  expect([own, kept, storage.getStore()]).toEqual(['inner', 'outer', undefined]);
  expect(ended).toEqual([{ name: 'inner', result: 'inner' }]);
});
