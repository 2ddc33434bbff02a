import { once } from 'node:events';
import { describe, expect, test } from '@jest/globals';
import { withRequest } from '@tessera/logging';
import { ConnectionPool } from './connection-pool.js';
import type { LdapConnection } from './ldap-connection.js';
import { unavailable } from './ldap-error.js';

/** The members of a connection that a pool uses. */
class FakeConnection {
  isOpen = true;
  close(): void {
    this.isOpen = false;
  }
}

function poolOf(size: number): {
  readonly pool: ConnectionPool;
  readonly opened: FakeConnection[];
} {
  const opened: FakeConnection[] = [];
  const pool = new ConnectionPool(size, () => {
    opened.push(new FakeConnection());
    return Promise.resolve(opened.at(-1) as unknown as LdapConnection);
  });
  return { pool, opened };
}

const soon = () => AbortSignal.timeout(30);
const late = () => AbortSignal.timeout(5_000);

describe('a pool of connections', () => {
  test('rejects a caller that waits too long, and serves later ones', async () => {
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

  test('serves in order, each with exclusive use of its connection', async () => {
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

  test('delays a caller by one turn of each network that waits, however many callers it has', async () => {
    const { pool } = poolOf(1);
    const order: string[] = [];
    const use = (network: string, isGone = false): Promise<unknown> => {
      const caller = { network, isKnown: false, isGone: () => isGone };
      const work = () => Promise.resolve(order.push(network));
      return withRequest({ id: 'r', caller }, () => pool.use(work, late()));
    };
    const gone = expect(use('gone', true)).rejects.toMatchObject({ code: 'LDAP_BUSY' });
    await Promise.all([...['a', 'a', 'a', 'a', 'b'].map((network) => use(network)), gone]);
    expect(order).toEqual(['a', 'b', 'a', 'a', 'a']);
  });

  test('runs work again on a new connection when the pooled one is lost', async () => {
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

  test('replaces a connection that was closed while idle', async () => {
    const { pool, opened } = poolOf(1);
    await pool.use(() => Promise.resolve(), late());
    opened[0]?.close();
    await pool.use(() => Promise.resolve(), late());
    expect(opened.map(({ isOpen }) => isOpen)).toEqual([false, true]);
  });

  test('closed while idle closes all at once', async () => {
    const { pool, opened } = poolOf(2);
    await Promise.all([1, 2].map(() => pool.use(() => Promise.resolve(), late())));
    pool.close();
    expect(opened.map(({ isOpen }) => isOpen)).toEqual([false, false]);
  });

  test('closed in use serves all waiting callers on the open connections, and then closes them', async () => {
    const { pool, opened } = poolOf(2);
    await Promise.all([1, 2].map(() => pool.use(() => Promise.resolve(), late())));
    const working = [1, 2, 3, 4, 5].map(() => pool.use(() => Promise.resolve('done'), late()));
    pool.close();
    await Promise.all(working);
    expect(opened.map(({ isOpen }) => isOpen)).toEqual([false, false]);
  });

  test('closed still serves later callers, and pools nothing', async () => {
    const { pool, opened } = poolOf(2);
    pool.close();
    await pool.use(() => Promise.resolve(), late());
    expect(opened.map(({ isOpen }) => isOpen)).toEqual([false]);
  });
});
