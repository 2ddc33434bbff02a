import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { WorkQueue } from './work-queue.js';

class Full extends Error {}

function throwing(): Promise<string> {
  throw new Error('broken');
}

/** Work that the test ends. */
function controlled() {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let started = false;
  const work = () => {
    started = true;
    return promise;
  };
  return { work, resolve, reject, hasStarted: () => started };
}

const turnOfTheLoop = () => setImmediate();

describe('WorkQueue', () => {
  test('rejects a caller at once when the queue is full, and serves the others', async () => {
    const queue = new WorkQueue(1, 1, () => new Full());
    const [first, second] = [controlled(), controlled()];
    const served = Promise.all([queue.run(first.work), queue.run(second.work)]);

    await expect(queue.run(() => Promise.resolve('third'))).rejects.toBeInstanceOf(Full);
    first.resolve('first');
    second.resolve('second');
    expect(await served).toEqual(['first', 'second']);
    expect(await queue.run(() => Promise.resolve('later'))).toBe('later');
  });

  test('passes on the slot of failed work, and gives its error only to its caller', async () => {
    const queue = new WorkQueue(1, 1, () => new Full());
    const failing = controlled();
    const failed = expect(queue.run(failing.work)).rejects.toThrow('broken');
    const next = queue.run(() => Promise.resolve('next'));

    failing.reject(new Error('broken'));
    await failed;
    expect(await next).toBe('next');
  });

  test('passes on the slot of work that throws before it returns a promise', async () => {
    const queue = new WorkQueue(1, 0, () => new Full());
    await expect(queue.run(throwing)).rejects.toThrow('broken');
    expect(await queue.run(() => Promise.resolve('next'))).toBe('next');
  });

  test('lets no later caller overtake the longest waiting', async () => {
    const queue = new WorkQueue(1, 2, () => new Full());
    const [first, waiting, newcomer] = [controlled(), controlled(), controlled()];
    const runs = [queue.run(first.work), queue.run(waiting.work)];
    first.resolve('first');
    runs.push(queue.run(newcomer.work));

    await turnOfTheLoop();
    expect([waiting.hasStarted(), newcomer.hasStarted()]).toEqual([true, false]);
    waiting.resolve('waiting');
    newcomer.resolve('newcomer');
    expect(await Promise.all(runs)).toEqual(['first', 'waiting', 'newcomer']);
  });

  test('never runs more than allowed and starts work in the order it came', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 4 }),
        fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 1, maxLength: 12 }),
        async (maxRunning, durations) => {
          const queue = new WorkQueue(maxRunning, durations.length, () => new Full());
          const started: number[] = [];
          let running = 0;
          let most = 0;
          await Promise.all(
            durations.map((turns, index) =>
              queue.run(async () => {
                started.push(index);
                most = Math.max(most, ++running);
                for (let turn = 0; turn < turns; turn += 1) {
                  await turnOfTheLoop();
                }
                running -= 1;
              }),
            ),
          );
          expect(started).toEqual(durations.map((_, index) => index));
          expect(most).toBeLessThanOrEqual(maxRunning);
          expect(running).toBe(0);
        },
      ),
      { numRuns: 50 },
    );
  });
});
