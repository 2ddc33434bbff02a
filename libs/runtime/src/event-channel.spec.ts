import { AsyncLocalStorage } from 'node:async_hooks';
import { expect, test } from '@jest/globals';
import { EventChannel } from './event-channel.js';

interface Counted {
  readonly count: number;
}

test('publishes to the subscribers of its name until they end', () => {
  const name = 'test:event-channel';
  const channel = new EventChannel<Counted>(name);
  const received: number[] = [];
  const end = new EventChannel<Counted>(name).subscribe(({ count }) => received.push(count));

  channel.publish({ count: 1 });
  expect(channel.hasSubscribers).toBe(true);
  end();
  channel.publish({ count: 2 });

  expect(received).toEqual([1]);
  expect(channel.hasSubscribers).toBe(false);
});

test('runs work in the context that is bound to it, and as it is without one', () => {
  const channel = new EventChannel<Counted>('test:event-channel-context');
  const storage = new AsyncLocalStorage<number>();
  const seen: (number | undefined)[] = [];
  const look = (): unknown => seen.push(storage.getStore());

  channel.run({ count: 1 }, look);
  const end = channel.bind(storage, ({ count }) => count);
  channel.run({ count: 2 }, look);
  look();
  end();
  channel.run({ count: 3 }, look);

  expect(seen).toEqual([undefined, 2, undefined, undefined]);
});
