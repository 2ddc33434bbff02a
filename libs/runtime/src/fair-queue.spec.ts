import { describe, expect, test } from '@jest/globals';
import { FairQueue } from './fair-queue.js';

class Full extends Error {}

const A = { network: 'a', isKnown: false };
const B = { network: 'b', isKnown: false };

function queueOf(ofNetwork: number, ofGroup = ofNetwork): FairQueue {
  return new FairQueue(1, { ofNetwork, ofGroup }, () => new Full());
}

describe('a fair queue', () => {
  test('runs as many as allowed, and delays another network by one turn, however many wait before it', async () => {
    const queue = queueOf(10, 100);
    const order: string[] = [];
    let running = 0;
    const run = (caller: typeof A): Promise<void> =>
      queue.run(caller, async () => {
        expect(++running).toBe(1);
        order.push(caller.network);
        await Promise.resolve();
        running -= 1;
      });
    await Promise.all([A, A, A, A, A, B].map(run));
    expect(order).toEqual(['a', 'a', 'b', 'a', 'a', 'a']);
  });

  test('rejects a caller without a place at once, also one that gives way, and serves the others', async () => {
    const queue = queueOf(10, 2);
    const hold = Promise.withResolvers<string>();
    const first = queue.run(A, () => hold.promise);
    const second = queue.run(A, () => Promise.resolve('second'));
    const third = queue.run(A, () => Promise.resolve('third'));
    const other = queue.run(B, () => Promise.resolve('other'));
    await expect(third).rejects.toBeInstanceOf(Full);
    await expect(queue.run(A, () => Promise.resolve('late'))).rejects.toBeInstanceOf(Full);
    hold.resolve('first');
    expect(await Promise.all([first, second, other])).toEqual(['first', 'second', 'other']);
  });

  test('passes on the slot of failed work, and gives its error only to its caller', async () => {
    const queue = queueOf(1);
    const failed = queue.run(A, () => Promise.reject(new Error('broken')));
    const next = queue.run(A, () => Promise.resolve('next'));
    await expect(failed).rejects.toThrow('broken');
    expect(await next).toBe('next');
    expect(await queue.run(A, () => Promise.resolve('later'))).toBe('later');
  });
});
