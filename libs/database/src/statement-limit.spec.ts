import { EventEmitter } from 'node:events';
import type { ClientBase } from 'pg';
import { afterEach, expect, jest, test } from '@jest/globals';
import { until } from '../../../test/support/until.js';
import { StatementLimit } from './statement-limit.js';

const LIMIT_MS = 400;

/** A connection as the limit sees it, which tells how often it was looked at. */
class WatchedClient extends EventEmitter {
  statement: object | undefined;
  looks = 0;
  readonly end = jest.fn(() => Promise.resolve());

  get _activeQuery(): object | undefined {
    this.looks += 1;
    return this.statement;
  }

  async lookedAtAgain(times: number): Promise<void> {
    const last = this.looks + times;
    await until('it was looked at', () => this.looks >= last);
  }
}

let client: WatchedClient;

function guarded(): WatchedClient {
  client = new WatchedClient();
  new StatementLimit(LIMIT_MS).guard(client as unknown as ClientBase);
  return client;
}

/** Nothing of this process runs meanwhile. */
function standStill(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}

afterEach(() => {
  client.emit('end');
});

test('a connection ends with a statement that takes too long, once', async () => {
  guarded().statement = {};
  await until('it was ended', () => client.end.mock.calls.length > 0);
  const { looks } = client;
  expect(looks).toBeGreaterThanOrEqual(2);
  expect(client.end).toHaveBeenCalledTimes(1);
});

test('one statement after the other ends nothing, however long they are at it', async () => {
  guarded();
  for (let each = 0; each < 6; each += 1) {
    client.statement = {};
    await client.lookedAtAgain(2);
  }
  client.statement = undefined;
  await client.lookedAtAgain(10);
  expect(client.end).not.toHaveBeenCalled();
});

test('a statement whose answer waits while the process stands still is not late', async () => {
  guarded().statement = {};
  await client.lookedAtAgain(2);
  standStill(3 * LIMIT_MS);
  await client.lookedAtAgain(1);
  expect(client.end).not.toHaveBeenCalled();
  await until('it was ended all the same', () => client.end.mock.calls.length > 0);
});
