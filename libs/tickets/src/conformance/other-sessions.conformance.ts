// Conformance of the other sessions of a user: who sees them, and who ends them.
import { describe, expect, test } from '@jest/globals';
import { TicketGranting } from '../ticket-granting.js';
import { newTicketId, type TicketId } from '../ticket-id.js';
import { handleOf } from '../ticket-registry.js';
import type { Nodes } from './nodes.conformance.js';

export function describeOtherSessions(nodes: () => Nodes): void {
  describe('the other sessions of a user', () => {
    let user = 0;
    const granting = (): TicketGranting => new TicketGranting(nodes().registry);
    const threeSessions = async (): Promise<readonly [TicketId, TicketId, TicketId]> => {
      user += 1;
      const login = (): Promise<TicketId> => nodes().login(`user-${user}`);
      return [await login(), await login(), await login()];
    };
    const seenBy = async ({ text }: TicketId): Promise<readonly string[]> =>
      (await granting().otherSessions(text)).map(({ handle }) => handle);
    const live = (ids: readonly TicketId[]): Promise<readonly boolean[]> =>
      Promise.all(ids.map((id) => nodes().otherNode.isLive(id)));

    test('are listed without the own one, the last used first', async () => {
      const [own, used, later] = await threeSessions();
      expect(await seenBy(own)).toEqual([handleOf(later), handleOf(used)]);
      await nodes().grant(used);
      expect(await seenBy(own)).toEqual([handleOf(used), handleOf(later)]);
    });

    test('end one by one', async () => {
      const sessions = await threeSessions();
      await granting().endOtherSessions(sessions[0].text, handleOf(sessions[2]));
      expect(await live(sessions)).toEqual([true, true, false]);
    });

    test('end all at once, with their tickets', async () => {
      const sessions = await threeSessions();
      const ticket = await nodes().grant(sessions[1]);
      await granting().endOtherSessions(sessions[0].text);
      expect(await live([...sessions, ticket])).toEqual([true, false, false, false]);
    });

    test('are neither those of another user nor the own one', async () => {
      const [stranger] = await threeSessions();
      const sessions = await threeSessions();
      for (const other of sessions) {
        await granting().endOtherSessions(stranger.text, handleOf(other));
      }
      await granting().endOtherSessions(stranger.text, handleOf(stranger));
      await granting().endOtherSessions(stranger.text, "' or true --");
      expect(await live([stranger, ...sessions])).toEqual([true, true, true, true]);
      expect(await seenBy(stranger)).not.toContain(handleOf(sessions[0]));
    });

    test('need a live TGT', async () => {
      const { tgt, pgt } = await nodes().grantProxy();
      const sessions = await threeSessions();
      await nodes().registry.destroy(sessions[0]);
      for (const id of [sessions[0], newTicketId('TGT'), pgt]) {
        expect(await seenBy(id)).toEqual([]);
        await granting().endOtherSessions(id.text);
      }
      expect(await live([...sessions, tgt, pgt])).toEqual([false, true, true, true, true]);
    });
  });
}
