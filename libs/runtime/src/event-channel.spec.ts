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
