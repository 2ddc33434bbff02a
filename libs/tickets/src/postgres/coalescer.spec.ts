import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { batchEvents, type BatchEvent } from '../ticket-events.js';
import { Coalescer, type CoalescerOptions } from './coalescer.js';

const OPTIONS: CoalescerOptions = { statement: 'grant', batchSize: 3, isolates: () => false };

/** A coalescer whose batches end when the test calls `end`. */
function controlled(options: Partial<CoalescerOptions> = {}) {
  const batches: { requests: readonly number[]; end: (error?: Error) => Promise<void> }[] = [];
  const coalescer = new Coalescer<number, string>(
    (requests) =>
      new Promise((resolve, reject) => {
        const end = async (error?: Error): Promise<void> => {
          if (error) reject(error);
          else resolve(requests.map((request) => `done ${request}`));
          await nextTurn();
        };
        batches.push({ requests, end });
      }),
    { ...OPTIONS, ...options },
  );
  return { batches, coalescer };
}

const requestsOf = (batches: readonly { requests: readonly number[] }[]) =>
  batches.map(({ requests }) => requests);

describe('a coalescer', () => {
  test('that is idle starts at once, without waiting a tick', () => {
    const { batches, coalescer } = controlled();
    void coalescer.submit(1);
    expect(requestsOf(batches)).toEqual([[1]]);
  });

  test('lets later requests share the next batch, in the order they came', async () => {
    const { batches, coalescer } = controlled();
    const answers = [1, 2, 3, 4].map((request) => coalescer.submit(request));
    expect(requestsOf(batches)).toEqual([[1]]);
    await batches[0]?.end();
    expect(requestsOf(batches)).toEqual([[1], [2, 3, 4]]);
    await batches[1]?.end();
    expect(await Promise.all(answers)).toEqual(['done 1', 'done 2', 'done 3', 'done 4']);
  });

  test('publishes the size and the outcome of each batch', async () => {
    const events: Omit<BatchEvent, 'milliseconds'>[] = [];
    const end = batchEvents.subscribe(({ milliseconds, ...event }) => {
      expect(milliseconds).toBeGreaterThanOrEqual(0);
      events.push(event);
    });
    const { batches, coalescer } = controlled();
    const settled = Promise.allSettled([1, 2, 3].map((request) => coalescer.submit(request)));
    await batches[0]?.end();
    await batches[1]?.end(new Error('connection lost'));
    await settled;
    end();
    expect(events).toEqual([
      { statement: 'grant', size: 1, outcome: 'success' },
      { statement: 'grant', size: 2, outcome: 'failure' },
    ]);
  });

  test('bounds its batches, and starves no request', async () => {
    const { batches, coalescer } = controlled();
    for (const request of [1, 2, 3, 4, 5, 6]) void coalescer.submit(request);
    await batches[0]?.end();
    void coalescer.submit(7);
    await batches[1]?.end();
    await batches[2]?.end();
    expect(requestsOf(batches)).toEqual([[1], [2, 3, 4], [5, 6, 7]]);
  });

  test('fails every request of a failed batch, and all waiting ones, with its error, and continues', async () => {
    const { batches, coalescer } = controlled({ batchSize: 2 });
    const answers = [1, 2, 3, 4, 5].map((request) => coalescer.submit(request));
    const settled = Promise.allSettled(answers);
    const lost = new Error('connection lost');
    await batches[0]?.end();
    await batches[1]?.end(lost);
    const failed = { status: 'rejected', reason: lost };
    expect((await settled).slice(1)).toEqual([failed, failed, failed, failed]);
    const next = coalescer.submit(6);
    await batches[2]?.end();
    expect(await next).toBe('done 6');
  });

  test('runs each request alone where the error may be that of one', async () => {
    const coalescer = new Coalescer<number, string>(
      async (batch) => {
        await Promise.resolve();
        if (batch.includes(3)) throw new Error('3 is bad');
        return batch.map((request) => `done ${request}`);
      },
      { statement: 'grant', batchSize: 10, isolates: () => true },
    );
    const answers = [1, 2, 3, 4].map((request) => coalescer.submit(request));
    expect(await Promise.allSettled(answers)).toMatchObject([
      { value: 'done 1' },
      { value: 'done 2' },
      { reason: { message: '3 is bad' } },
      { value: 'done 4' },
    ]);
  });

  test('fails only the request whose error it is, when it was sent alone', async () => {
    const { batches, coalescer } = controlled({ isolates: () => true });
    const bad = coalescer.submit(1);
    const others = [2, 3].map((request) => coalescer.submit(request));
    const settled = Promise.allSettled([bad]);
    await batches[0]?.end(new Error('1 is bad'));
    expect(await settled).toMatchObject([{ status: 'rejected' }]);
    await batches[1]?.end();
    expect(await Promise.all(others)).toEqual(['done 2', 'done 3']);
  });
});
