import { once } from 'node:events';
import { describe, expect, test } from '@jest/globals';
import { ConnectionPool } from './connection-pool.js';
import type { LdapConnection } from './ldap-connection.js';
import { unavailable } from './ldap-error.js';

/** What a pool knows of a connection, in place of a real one. */
class Kept {
  isOpen = true;
  close(): void {
    this.isOpen = false;
  }
}

function poolOf(size: number): { readonly pool: ConnectionPool; readonly opened: Kept[] } {
  const opened: Kept[] = [];
  const pool = new ConnectionPool(size, () => {
    opened.push(new Kept());
    return Promise.resolve(opened.at(-1) as unknown as LdapConnection);
  });
  return { pool, opened };
}

const soon = () => AbortSignal.timeout(30);
const late = () => AbortSignal.timeout(5_000);

describe('a pool of connections', () => {
  test('gives up on who waits too long, and serves who comes later', async () => {
    const { pool } = poolOf(1);
    const hold = Promise.withResolvers<string>();
    const first = pool.use(() => hold.promise, late());
    await expect(pool.use(() => Promise.resolve(), soon())).rejects.toMatchObject({
      code: 'LDAP_BUSY',
    });
    await expect(pool.use(() => Promise.resolve(), AbortSignal.abort())).rejects.toMatchObject({
      code: 'LDAP_BUSY',
    });
    const third = pool.use(() => Promise.resolve('third'), late());
    hold.resolve('first');
    expect(await Promise.all([first, third])).toEqual(['first', 'third']);
  });

  test('serves in the order of asking, each alone on its connection', async () => {
    const { pool, opened } = poolOf(2);
    const order: number[] = [];
    const busy = new Set<LdapConnection>();
    await Promise.all(
      [0, 1, 2, 3, 4, 5].map((index) =>
        pool.use(async (connection) => {
          expect(busy.has(connection)).toBe(false);
          busy.add(connection);
          order.push(index);
          await Promise.resolve();
          busy.delete(connection);
        }, late()),
      ),
    );
    expect(order).toEqual([0, 1, 2, 3, 4, 5]);
    expect(opened).toHaveLength(2);
  });

  test('runs work again on a new connection when the kept one turns out to be lost', async () => {
    const { pool, opened } = poolOf(1);
    await pool.use(() => Promise.resolve(), late());
    const used: unknown[] = [];
    await pool.use((connection) => {
      used.push(connection);
      if (used.length > 1) return Promise.resolve();
      connection.close();
      return Promise.reject(unavailable('lost'));
    }, late());
    expect(used).toEqual(opened);
    expect(opened).toHaveLength(2);
  });

  test.each([
    ['that fails on a good connection', true, late],
    ['whose time is over', false, () => AbortSignal.any([late(), AbortSignal.timeout(5)])],
  ])('does not repeat work %s', async (_what, isOpen, signal) => {
    const { pool } = poolOf(1);
    await pool.use(() => Promise.resolve(), late());
    let times = 0;
    const limit = signal();
    const failing = pool.use(async (connection) => {
      times += 1;
      if (!isOpen) {
        await once(limit, 'abort');
        connection.close();
      }
      throw unavailable('no');
    }, limit);
    await expect(failing).rejects.toMatchObject({ code: 'LDAP_UNAVAILABLE' });
    expect(times).toBe(1);
  });

  test('opens another for one that was closed at rest', async () => {
    const { pool, opened } = poolOf(1);
    await pool.use(() => Promise.resolve(), late());
    opened[0]?.close();
    await pool.use(() => Promise.resolve(), late());
    expect(opened.map(({ isOpen }) => isOpen)).toEqual([false, true]);
  });

  test('closed at rest closes all at once', async () => {
    const { pool, opened } = poolOf(2);
    await Promise.all([1, 2].map(() => pool.use(() => Promise.resolve(), late())));
    pool.close();
    expect(opened.map(({ isOpen }) => isOpen)).toEqual([false, false]);
  });

  test('closed in use serves all who have come, on the connections there are, and closes them then', async () => {
    const { pool, opened } = poolOf(2);
    await Promise.all([1, 2].map(() => pool.use(() => Promise.resolve(), late())));
    const working = [1, 2, 3, 4, 5].map(() => pool.use(() => Promise.resolve('done'), late()));
    pool.close();
    await Promise.all(working);
    expect(opened.map(({ isOpen }) => isOpen)).toEqual([false, false]);
  });

  test('closed serves who comes later, and keeps nothing', async () => {
    const { pool, opened } = poolOf(2);
    pool.close();
    await pool.use(() => Promise.resolve(), late());
    expect(opened.map(({ isOpen }) => isOpen)).toEqual([false]);
  });
});
