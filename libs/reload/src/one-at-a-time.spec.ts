import { setImmediate } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { oneAtATime } from './one-at-a-time.js';

/** Runs that end when they are told to. */
function controlled() {
  const begun: { causes: readonly string[]; end: (error?: Error) => void }[] = [];
  const ask = oneAtATime((causes) => {
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    const count = begun.length + 1;
    begun.push({ causes, end: (error) => (error ? reject(error) : resolve(count)) });
    return promise;
  });
  return { begun, ask, settled: () => setImmediate() };
}

test('calls during a run share the next one, which begins after it', async () => {
  const { begun, ask, settled } = controlled();
  const first = ask('a');
  await settled();
  const others = [ask('b'), ask('c'), ask('b')];
  await settled();
  expect(begun.map(({ causes }) => causes)).toEqual([['a']]);
  begun[0]?.end();
  expect(await first).toBe(1);
  await settled();
  expect(begun.map(({ causes }) => causes)).toEqual([['a'], ['b', 'c']]);
  begun[1]?.end();
  expect(await Promise.all(others)).toEqual([2, 2, 2]);
});

test('a run that fails is no matter of the next one', async () => {
  const { begun, ask, settled } = controlled();
  const first = ask('a');
  await settled();
  const second = ask('b');
  begun[0]?.end(new Error('a fault'));
  await expect(first).rejects.toThrow('a fault');
  await settled();
  begun[1]?.end();
  expect(await second).toBe(2);
});

test('a call after a run has one of its own', async () => {
  const { begun, ask, settled } = controlled();
  for (const count of [1, 2]) {
    const asked = ask('a');
    await settled();
    begun[count - 1]?.end();
    expect(await asked).toBe(count);
  }
});

test('calls during a run get what comes of both, unless told otherwise', async () => {
  const ends: (() => void)[] = [];
  const ask = oneAtATime(
    ([cause = '']) => {
      const { promise, resolve } = Promise.withResolvers<string>();
      ends.push(() => resolve(cause));
      return promise;
    },
    (underWay, own) => `${underWay}+${own}`,
  );
  const answers = [ask('a')];
  for (const cause of ['b', 'c']) {
    await setImmediate();
    answers.push(ask(cause));
    await setImmediate();
    ends.shift()?.();
  }
  await setImmediate();
  ends.shift()?.();
  expect(await Promise.all(answers)).toEqual(['a', 'a+b', 'b+c']);
  const late = ask('d');
  await setImmediate();
  ends.shift()?.();
  expect(await late).toBe('d');
});
