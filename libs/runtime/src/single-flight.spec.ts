import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { cachedSingleFlight, SingleFlight, trailingSingleFlight } from './single-flight.js';

describe('single flight', () => {
  test('concurrent calls with one key share one run, and later calls do not', async () => {
    const flight = new SingleFlight<number>();
    let runs = 0;
    const call = async (): Promise<number> => {
      await setImmediate();
      return (runs += 1);
    };
    expect(await Promise.all([flight.run('a', call), flight.run('a', call)])).toEqual([1, 1]);
    expect(await Promise.all([flight.run('a', call), flight.run('b', call)])).toEqual([2, 3]);
  });

  test('a run that fails fails for those who share it, and the next call runs again', async () => {
    const flight = new SingleFlight<number>();
    const failed = [1, 2].map(() => flight.run('a', () => Promise.reject(new Error('no'))));
    expect(await Promise.allSettled(failed)).toMatchObject([
      { status: 'rejected' },
      { status: 'rejected' },
    ]);
    expect(await flight.run('a', () => Promise.resolve(2))).toBe(2);
  });

  test('a run that was forgotten is not shared, and its end does not end the run that took its key', async () => {
    const flight = new SingleFlight<number>();
    const ends = [1, 2].map(() => Promise.withResolvers<number>());
    const first = flight.run('a', () => ends[0]!.promise);
    flight.forget();
    const second = flight.run('a', () => ends[1]!.promise);
    ends[0]!.resolve(1);
    expect(await first).toBe(1);
    const third = flight.run('a', () => Promise.resolve(3));
    ends[1]!.resolve(2);
    expect(await Promise.all([second, third])).toEqual([2, 2]);
  });
});

test('a cached single flight keeps results, and no failures', async () => {
  const cache = new Map<string, Promise<number>>();
  const call = (result: number | Error) => (): Promise<number> =>
    result instanceof Error ? Promise.reject(result) : Promise.resolve(result);
  await expect(cachedSingleFlight(cache, 'a', call(new Error('no')))).rejects.toThrow('no');
  expect(await cachedSingleFlight(cache, 'a', call(1))).toBe(1);
  expect(await cachedSingleFlight(cache, 'a', call(2))).toBe(1);
});

describe('trailing single flight', () => {
  /** Runs that the test ends. */
  function controlled() {
    const runs: { reasons: readonly string[]; end: (error?: Error) => void }[] = [];
    const call = trailingSingleFlight<number, [string]>((calls) => {
      const { promise, resolve, reject } = Promise.withResolvers<number>();
      const count = runs.length + 1;
      runs.push({
        reasons: calls.flat(),
        end: (error) => (error ? reject(error) : resolve(count)),
      });
      return promise;
    });
    return { runs, call, settled: () => setImmediate() };
  }

  test('calls during a run share the next one, which begins after it', async () => {
    const { runs, call, settled } = controlled();
    const first = call('a');
    await settled();
    const others = [call('b'), call('c')];
    await settled();
    expect(runs.map(({ reasons }) => reasons)).toEqual([['a']]);
    runs[0]?.end();
    expect(await first).toBe(1);
    await settled();
    expect(runs.map(({ reasons }) => reasons)).toEqual([['a'], ['b', 'c']]);
    runs[1]?.end();
    expect(await Promise.all(others)).toEqual([2, 2]);
  });

  test('a failed run does not fail the next one', async () => {
    const { runs, call, settled } = controlled();
    const first = call('a');
    await settled();
    const second = call('b');
    runs[0]?.end(new Error('a fault'));
    await expect(first).rejects.toThrow('a fault');
    await settled();
    runs[1]?.end();
    expect(await second).toBe(2);
  });

  test('a call after a run has a run of its own', async () => {
    const { runs, call, settled } = controlled();
    for (const count of [1, 2]) {
      const result = call('a');
      await settled();
      runs[count - 1]?.end();
      expect(await result).toBe(count);
    }
  });

  test('calls during a run get the combined result of both runs', async () => {
    const ends: (() => void)[] = [];
    const call = trailingSingleFlight<string, [string]>(
      ([[reason] = ['']]) => {
        const { promise, resolve } = Promise.withResolvers<string>();
        ends.push(() => resolve(reason));
        return promise;
      },
      (previous, own) => `${previous}+${own}`,
    );
    const results = [call('a')];
    for (const reason of ['b', 'c']) {
      await setImmediate();
      results.push(call(reason));
      await setImmediate();
      ends.shift()?.();
    }
    await setImmediate();
    ends.shift()?.();
    expect(await Promise.all(results)).toEqual(['a', 'a+b', 'b+c']);
    const late = call('d');
    await setImmediate();
    ends.shift()?.();
    expect(await late).toBe('d');
  });
});
