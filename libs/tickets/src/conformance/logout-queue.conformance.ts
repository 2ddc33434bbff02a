// Conformance of the queue of logout messages: who gets a message, in which order, and what becomes of those that fail.
import { afterEach, describe, expect, test } from '@jest/globals';
import type { LogoutMessage, LogoutQueue, TakenLogoutMessage } from '../logout-queue.js';
import { present, type Nodes } from './nodes.conformance.js';

const HOUR = 3_600_000;

export function describeLogoutQueue(nodes: () => Nodes): void {
  describe('the queue of logout messages', () => {
    let held: TakenLogoutMessage[] = [];
    afterEach(async () => {
      await Promise.all(held.map((each) => queue().complete(each)));
      held = [];
      await nodes().emptyQueue();
    });

    const queue = (turn = 0): LogoutQueue => nodes().nodeOf(turn).logoutQueue;
    /** Each message goes to the groups that its application names after the last slash. */
    const groupsOf = ({ application }: LogoutMessage) => application.split('/').at(-1)!.split('');
    /** Queues a message to the given groups, one letter each; the last one ends first. */
    const add = async (...targets: readonly string[]): Promise<void> => {
      const tgt = await nodes().login();
      for (const each of targets) await nodes().signIn(tgt, `https://app/${each}`);
      await nodes().registry.destroy(tgt);
    };
    const addAddressed = async (...targets: readonly string[]): Promise<void> => {
      await add(...targets);
      await queue().address(100, groupsOf);
    };
    const take = async (options: Partial<Parameters<LogoutQueue['take']>[0]> = {}, turn = 0) => {
      const taken = await queue(turn).take({
        limit: 10,
        perGroup: 2,
        except: [],
        lease: HOUR,
        ...options,
      });
      held.push(...taken);
      return taken;
    };
    const groups = (taken: readonly TakenLogoutMessage[]) =>
      taken.map(({ group }) => group).toSorted();

    test('replaces a new message by one for each URL, with the position of the URL', async () => {
      await add('ab');
      const [message] = await queue().list({ state: 'waiting', limit: 10 });
      expect(await take()).toEqual([]);
      expect(await queue().address(10, groupsOf)).toEqual({ addressed: 1, dropped: 0 });
      expect(await queue().address(10, groupsOf)).toEqual({ addressed: 0, dropped: 0 });
      const taken = await take();
      const { principal, protocol, application, sessionIndex, endedAt, id } = present(message);
      const common = { principal, protocol, application, sessionIndex, endedAt, failures: 0 };
      expect(taken).toHaveLength(2);
      expect(taken).toContainEqual({ ...common, id, urlIndex: 0, group: 'a' });
      expect(taken).toContainEqual({ ...common, id: `${id}-2`, urlIndex: 1, group: 'b' });
    });

    test('drops a message without a URL', async () => {
      await add('', 'a');
      expect(await queue().address(10, groupsOf)).toEqual({ addressed: 2, dropped: 1 });
      expect(groups(await take())).toEqual(['a']);
      expect(await queue().counts()).toMatchObject({ pending: 1 });
    });

    test('replaces and gives each message once, to two nodes at the same time', async () => {
      const targets = Array.from({ length: 20 }, (_, index) => String.fromCodePoint(97 + index));
      await add(...targets);
      const addressed = await Promise.all([0, 1, 2, 3].map((n) => queue(n).address(9, groupsOf)));
      const total = addressed.reduce((sum, each) => sum + each.addressed, 0);
      expect((await queue().address(20, groupsOf)).addressed).toBe(20 - total);
      const taken = await Promise.all([0, 1, 2, 3].map((turn) => take({ limit: 5 }, turn)));
      expect(groups([...taken.flat(), ...(await take({ limit: 20 }))])).toEqual(targets);
    });

    test('gives at most so many of a group at once, to all nodes together', async () => {
      await addAddressed('a', 'a/a', 'b/a', 'b');
      const taken = (await Promise.all([0, 1, 2, 3].map((turn) => take({}, turn)))).flat();
      expect(groups(taken)).toEqual(['a', 'a', 'b']);
      expect(await take({}, 1)).toEqual([]);
      await queue().complete(present(taken.find(({ group }) => group === 'a')));
      expect(groups(await take({}, 1))).toEqual(['a']);
      expect(await queue().counts()).toMatchObject({ pending: 3 });
    });

    test('gives those of a group behind any number of others, and none of the excepted', async () => {
      await addAddressed('a', 'a/a', 'b/a', 'c/a', 'b', 'c');
      expect(groups(await take({ except: ['a', 'b'] }))).toEqual(['c']);
      expect(groups(await take({ limit: 2, except: ['b'] }))).toEqual(['a', 'a']);
      expect(groups(await take({ limit: 2 }))).toEqual(['b']);
    });

    test('gives first attempts before repetitions', async () => {
      await addAddressed('a');
      await queue().fail(present((await take())[0]), 'no', 0);
      await addAddressed('b');
      expect(groups(await take({ limit: 1 }))).toEqual(['b']);
      expect(await take({ limit: 1 })).toMatchObject([{ group: 'a', failures: 1 }]);
    });

    test('gives a message to another node when that of a crashed one is overdue', async () => {
      await addAddressed('a');
      const [taken] = await take({ lease: 50 });
      for (;;) {
        const again = await take({}, 1);
        if (again.length > 0) {
          expect(again).toEqual([taken]);
          return;
        }
      }
    });

    test('lists a message that waits after an attempt, and one that has failed for good', async () => {
      await addAddressed('a', 'b');
      const list = (state: 'failed' | 'waiting') => queue(1).list({ state, limit: 10 });
      const [message, other] = await take();
      expect(await list('waiting')).toEqual([]);
      await queue().fail(present(message), 'first', HOUR);
      const [waiting] = await list('waiting');
      expect(waiting).toMatchObject({ id: message?.id, attempts: 1, reason: 'first' });
      expect(waiting?.nextAttemptAt?.getTime()).toBeGreaterThan(Date.now() + HOUR / 2);
      expect(await take()).toEqual([]);
      await queue().fail(present(other), 'last');
      expect(await list('failed')).toMatchObject([
        {
          id: other?.id,
          attempts: 1,
          reason: 'last',
          nextAttemptAt: null,
          failedAt: expect.any(Date),
        },
      ]);
      expect(await queue().counts()).toEqual({ pending: 1, failed: 1 });
    });

    test('lists pages, the oldest first', async () => {
      await addAddressed('ab', 'c');
      await addAddressed('d');
      const all = await queue().list({ state: 'waiting', limit: 10 });
      const [first, second, third, last] = all;
      expect(all.map(({ application }) => application.at(-1))).toContain('b');
      expect(last?.application).toBe('https://app/d');
      const page = (after: typeof first) => queue().list({ state: 'waiting', limit: 2, after });
      expect(await page(undefined)).toEqual([first, second]);
      expect(await page(second)).toEqual([third, last]);
      expect(await page(last)).toEqual([]);
    });

    test('sends failed messages again from the first attempt on: those with the ids, or all', async () => {
      await addAddressed('a', 'b', 'c');
      const taken = await take();
      for (const each of taken) await queue().fail(each, 'no');
      expect(await queue().retry([present(taken[0]).id, 'LR-unknown'])).toBe(1);
      expect(await take()).toEqual([taken[0]]);
      expect(await queue().retry()).toBe(2);
      expect(await queue().retry()).toBe(0);
      expect(groups(await take())).toEqual(groups(taken.slice(1)));
    });
  });
}
