import { EventEmitter } from 'node:events';
import type { ClientBase } from 'pg';
import { afterEach, expect, jest, test } from '@jest/globals';
import { until } from '../../../test/support/until.js';
import { StatementTimeout } from './statement-timeout.js';

const TIMEOUT_MS = 400;

/** A connection that counts the checks of its running statement. */
class WatchedClient extends EventEmitter {
  statement: object | undefined;
  checks = 0;
  readonly end = jest.fn(() => Promise.resolve());

  get _activeQuery(): object | undefined {
    this.checks += 1;
    return this.statement;
  }

  async checkedAgain(times: number): Promise<void> {
    const last = this.checks + times;
    await until('it was checked', () => this.checks >= last);
  }
}

let client: WatchedClient;

function watched(): WatchedClient {
  client = new WatchedClient();
  new StatementTimeout(TIMEOUT_MS).watch(client as unknown as ClientBase);
  return client;
}

function blockEventLoop(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}

afterEach(() => {
  client.emit('end');
});

test('a connection ends with a statement that takes too long, once', async () => {
  watched().statement = {};
  await until('it was ended', () => client.end.mock.calls.length > 0);
  const { checks } = client;
  expect(checks).toBeGreaterThanOrEqual(2);
  expect(client.end).toHaveBeenCalledTimes(1);
});

test('one statement after the other ends nothing, however long they are at it', async () => {
  watched();
  for (let each = 0; each < 6; each += 1) {
    client.statement = {};
    await client.checkedAgain(2);
  }
  client.statement = undefined;
  await client.checkedAgain(10);
  expect(client.end).not.toHaveBeenCalled();
});

test('a statement whose answer waits while the process is suspended is not late', async () => {
  watched().statement = {};
  await client.checkedAgain(2);
  blockEventLoop(3 * TIMEOUT_MS);
  await client.checkedAgain(1);
  expect(client.end).not.toHaveBeenCalled();
  await until('it was ended all the same', () => client.end.mock.calls.length > 0);
});
