// Conformance of the other sessions of a user: who sees them, and who ends them.
import { describe, expect, test } from '@jest/globals';
import { newTicketId, type TicketId } from '../ticket-id.js';
import { AUTHENTICATION, type Nodes } from './nodes.conformance.js';

export function describeOtherSessions(nodes: () => Nodes): void {
  describe('the other sessions of a user', () => {
    let user = 0;
    const login = (): Promise<TicketId> => nodes().login(`user-${user}`);
    const threeSessions = async (): Promise<readonly [TicketId, TicketId, TicketId]> => {
      user += 1;
      return [await login(), await login(), await login()];
    };
    const live = (ids: readonly TicketId[]): Promise<readonly boolean[]> =>
      Promise.all(ids.map((id) => nodes().otherNode.isLive(id)));

    test('are listed without the own one, the last used first, at most so many', async () => {
      const [own] = await threeSessions();
      const found = await nodes().registry.findOtherSessions(own, 20);
      expect(found.map(({ authenticatedAt }) => authenticatedAt)).toEqual([
        AUTHENTICATION.authenticatedAt,
        AUTHENTICATION.authenticatedAt,
      ]);
      const times = found.map(({ lastUsedAt }) => lastUsedAt.getTime());
      expect(times).toEqual(times.toSorted((one, other) => other - one));
      expect(await nodes().registry.findOtherSessions(own, 1)).toEqual(found.slice(0, 1));
    });

    test('end one by one', async () => {
      const sessions = await threeSessions();
      const [own] = sessions;
      const [last] = await nodes().registry.findOtherSessions(own, 1);
      await nodes().registry.destroyOtherSessions(own, last?.handle);
      expect(await live(sessions)).toEqual([true, true, false]);
    });

    test('end all at once, with their tickets', async () => {
      const sessions = await threeSessions();
      const ticket = await nodes().grant(sessions[1]);
      await nodes().registry.destroyOtherSessions(sessions[0]);
      expect(await live([...sessions, ticket])).toEqual([true, false, false, false]);
    });

    test('of another user are neither seen nor ended', async () => {
      const [stranger] = await threeSessions();
      const sessions = await threeSessions();
      const [handle] = (await nodes().registry.findOtherSessions(sessions[0], 1)).map(
        (each) => each.handle,
      );
      await nodes().registry.destroyOtherSessions(stranger, handle);
      expect(await live(sessions)).toEqual([true, true, true]);
      const seen = await nodes().registry.findOtherSessions(stranger, 20);
      expect(seen.map((each) => each.handle)).not.toContain(handle);
    });

    test('need a live TGT', async () => {
      const sessions = await threeSessions();
      await nodes().registry.destroy(sessions[0]);
      for (const id of [sessions[0], newTicketId('TGT')]) {
        expect(await nodes().registry.findOtherSessions(id, 20)).toEqual([]);
        await nodes().registry.destroyOtherSessions(id);
      }
      expect(await live(sessions)).toEqual([false, true, true]);
    });

    test('do not end with a proxy-granting ticket of one', async () => {
      const { pgt, tgt } = await nodes().grantProxy();
      expect(await nodes().registry.findOtherSessions(pgt, 20)).toEqual([]);
      await nodes().registry.destroyOtherSessions(pgt);
      expect(await live([tgt, pgt])).toEqual([true, true]);
    });
  });
}
