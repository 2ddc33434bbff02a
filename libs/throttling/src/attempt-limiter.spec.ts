import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { AttemptLimiter, MAX_WAITING, type Limits } from './attempt-limiter.js';
import { ThrottledError } from './throttled-error.js';

const THRESHOLD = 3;
const LIMITS: Limits = [
  { key: 'address', threshold: 1_000 },
  { key: 'name', threshold: THRESHOLD },
];

/** A limiter, a count of failures, and attempts that the test ends. */
function controlled(failures = 0) {
  const limiter = new AttemptLimiter();
  const started: { end: (isFailure: boolean) => Promise<void> }[] = [];
  const state = { failures, reads: 0 };
  const read = async () => {
    state.reads += 1;
    const { failures: failed } = state;
    await nextTurn();
    if (failed >= THRESHOLD) throw new ThrottledError(60);
    return LIMITS.map(() => failed);
  };
  const attempt = () =>
    limiter.run(
      LIMITS,
      read,
      () =>
        new Promise<string>((resolve) => {
          const end = async (isFailure: boolean): Promise<void> => {
            if (isFailure) state.failures += 1;
            resolve(isFailure ? 'refused' : 'accepted');
            await settle();
          };
          started.push({ end });
        }),
    );
  return { limiter, started, state, attempt };
}

/** Waits until nothing can proceed before an attempt ends. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await nextTurn();
}

const noFailures = () => Promise.resolve([0]);
const accept = () => Promise.resolve('in');

const THROTTLED = { status: 'rejected', reason: expect.any(ThrottledError) };

describe('the limiter', () => {
  test('starts as many attempts at once as may still fail, and no more', async () => {
    const { started, attempt } = controlled(1);
    const attempts = Promise.allSettled(Array.from({ length: 10 }, () => attempt()));
    await settle();
    expect(started).toHaveLength(THRESHOLD - 1);
    await started[0]?.end(true);
    expect(started).toHaveLength(THRESHOLD - 1);
    await started[1]?.end(true);
    expect((await attempts).slice(2)).toEqual(Array.from({ length: 8 }, () => THROTTLED));
    expect(started).toHaveLength(THRESHOLD - 1);
  });

  test('starts the next attempt where one succeeds', async () => {
    const { started, attempt, state } = controlled();
    const attempts = Array.from({ length: 20 }, () => attempt());
    await settle();
    for (let turn = 0; turn < 20; turn += 1) {
      expect(started).toHaveLength(Math.min(20, turn + THRESHOLD));
      await started[turn]?.end(false);
    }
    expect(await Promise.all(attempts)).toEqual(Array(20).fill('accepted'));
    expect(state.reads).toBe(20);
  });

  test('delays no attempt that shares no key', async () => {
    const { started, attempt, limiter } = controlled();
    void Array.from({ length: 5 }, () => attempt());
    const other = limiter.run([{ key: 'elsewhere', threshold: 1 }], noFailures, accept);
    expect(await other).toBe('in');
    await settle();
    expect(started).toHaveLength(THRESHOLD);
  });

  test('refuses an attempt where too many wait', async () => {
    const { started, attempt } = controlled();
    const many = Array.from({ length: THRESHOLD + MAX_WAITING }, () => attempt());
    const attempts = Promise.allSettled(many);
    await settle();
    await expect(attempt()).rejects.toMatchObject({ retryAfter: 1 });
    for (const { end } of started) await end(true);
    await attempts;
  });

  test('rejects all waiting attempts with the error of a failed read, instead of one read each', async () => {
    const limiter = new AttemptLimiter();
    const away = new Error('the database is unavailable');
    let fail = (): void => {};
    const read = () =>
      new Promise<number[]>((_resolve, reject) => {
        fail = () => reject(away);
      });
    const limits: Limits = [{ key: 'a', threshold: 1 }];
    const attempts = [1, 2, 3].map(() => limiter.run(limits, read, accept));
    await settle();
    fail();
    expect(await Promise.allSettled(attempts)).toEqual(
      attempts.map(() => ({ status: 'rejected', reason: away })),
    );
  });

  test('starts the next attempt where one throws', async () => {
    const limiter = new AttemptLimiter();
    const limits: Limits = [{ key: 'a', threshold: 1 }];
    const broken = limiter.run(limits, noFailures, () => Promise.reject(new Error('undecided')));
    const next = limiter.run(limits, noFailures, accept);
    await expect(broken).rejects.toThrow('undecided');
    expect(await next).toBe('in');
  });

  test('deletes an empty queue', async () => {
    const { started, attempt, limiter } = controlled();
    const attempts = [attempt(), attempt()];
    await settle();
    expect(limiter.size).toBe(1);
    for (const { end } of started) await end(true);
    await Promise.all(attempts);
    expect(limiter.size).toBe(0);
  });
});

/** A random attempt: after some turns of the event loop, by one of two users, of some duration and outcome. */
const ATTEMPT = fc.record({
  name: fc.constantFrom('a', 'b'),
  pause: fc.nat(12),
  turns: fc.nat(4),
  isFailure: fc.boolean(),
});

test('never more failures than a threshold, and no attempt left waiting, in any order of events', async () => {
  const thresholds = { address: 5, name: 3 };
  await fc.assert(
    fc.asyncProperty(
      fc.record({ a: fc.nat(3), b: fc.nat(2) }),
      fc.array(ATTEMPT, { maxLength: 40 }),
      fc.infiniteStream(fc.nat(3)),
      async (before, attempts, pauses) => {
        const limiter = new AttemptLimiter();
        const failures = { ...before };
        const pass = async (turns = pauses.next().value as number): Promise<void> => {
          for (let turn = 0; turn < turns; turn += 1) await nextTurn();
        };
        const read = async (name: 'a' | 'b') => {
          await pass();
          const [all, own] = [failures.a + failures.b, failures[name]];
          await pass();
          if (all >= thresholds.address || own >= thresholds.name) throw new ThrottledError(60);
          return [all, own];
        };
        const run = async ({ name, pause, turns, isFailure }: (typeof attempts)[number]) => {
          await pass(pause);
          const limits: Limits = [
            { key: 'address', threshold: thresholds.address },
            { key: name, threshold: thresholds.name },
          ];
          await limiter.run(
            limits,
            () => read(name),
            async () => {
              await pass(turns);
              if (isFailure) failures[name] += 1;
            },
          );
        };
        await Promise.allSettled(attempts.map(run));
        expect(failures.a + failures.b).toBeLessThanOrEqual(thresholds.address);
        expect(Math.max(failures.a, failures.b)).toBeLessThanOrEqual(thresholds.name);
        expect(limiter.size).toBe(0);
      },
    ),
    { numRuns: 1_000 },
  );
});
