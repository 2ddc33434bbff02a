// Conformance of the administration of sessions: operators find and end those of all users.
import { describe, expect, test } from '@jest/globals';
import { sha256 } from '@tessera/crypto';
import type { TicketId } from '../ticket-id.js';
import { handleOf, type SessionAdministration, type SessionDetails } from '../ticket-registry.js';
import { AUTHENTICATION, present, SERVICE, type Nodes } from './nodes.conformance.js';

export function describeSessionAdministration(nodes: () => Nodes): void {
  describe('the administration of sessions', () => {
    let users = 0;
    const sessions = (): SessionAdministration => nodes().otherNode.sessions;
    const newUser = (): string => {
      users += 1;
      return `administered-${users}`;
    };
    const login = (user: string, minute = 0): Promise<TicketId> =>
      nodes().registry.createTicketGrantingTicket({
        ...AUTHENTICATION,
        principal: { id: user, attributes: AUTHENTICATION.principal.attributes },
        authenticatedAt: new Date(Date.UTC(2026, 0, 1, 0, minute)),
      });
    const sessionOf = async (user: string): Promise<SessionDetails> =>
      present((await sessions().list({ principal: user, limit: 1 }))[0]);

    test('lists the sessions of a user, the last login first, in pages', async () => {
      const user = newUser();
      for (const minute of [1, 3, 2, 3]) await login(user, minute);
      const all = await sessions().list({ principal: user, limit: 10 });
      const minutes = all.map(({ authentication }) => authentication.authenticatedAt.getMinutes());
      expect(minutes).toEqual([3, 3, 2, 1]);
      const [, { handle, authentication } = present(all[0])] = all;
      const after = { handle, authenticatedAt: authentication.authenticatedAt };
      expect(await sessions().list({ principal: user, limit: 2, after })).toEqual(all.slice(2));
      expect(await sessions().list({ principal: newUser(), limit: 10 })).toEqual([]);
      const ofAll = await sessions().list({ limit: 1_000 });
      expect(ofAll.map((each) => each.handle)).toEqual(
        expect.arrayContaining(all.map((each) => each.handle)),
      );
    });

    test('finds a live session by its handle, with its login and the services that are told', async () => {
      const user = newUser();
      const tgt = await login(user);
      const ticket = await nodes().signIn(tgt);
      const session = await sessionOf(user);
      expect(session).toMatchObject({
        authentication: {
          ...AUTHENTICATION,
          principal: { id: user },
          authenticatedAt: expect.any(Date),
        },
        isRemembered: false,
        expiresAt: expect.any(Date),
        lastUsedAt: expect.any(Date),
      });
      expect(await sessions().find(session.handle)).toEqual(session);
      expect(await sessions().services(session.handle)).toEqual([
        { protocol: 'cas', application: SERVICE, sessionIndexes: [ticket] },
      ]);
      await nodes().registry.destroy(tgt);
      expect(await sessions().find(session.handle)).toBeUndefined();
    });

    test('ends one session, or all of a user but one, with their tickets', async () => {
      const user = newUser();
      const stranger = await login(newUser());
      const tgts = [await login(user, 2), await login(user, 1), await login(user)];
      const ticket = await nodes().grant(present(tgts[0]));
      const { handle } = await sessionOf(user);
      expect(await sessions().end(handle)).toBe(user);
      expect(await sessions().end(handle)).toBeUndefined();
      expect(await nodes().registry.isLive(ticket)).toBe(false);
      expect(await nodes().registry.isLive(present(tgts[1]))).toBe(true);
      expect(await sessions().endAll(user, handleOf(present(tgts[2])))).toBe(1);
      expect(await nodes().registry.isLive(present(tgts[2]))).toBe(true);
      expect(await sessions().endAll(user)).toBe(1);
      expect(await sessions().endAll(user)).toBe(0);
      expect(await nodes().registry.isLive(stranger)).toBe(true);
    });

    test('finds the session of a console token, until it has another or ends', async () => {
      const user = newUser();
      const tgt = await login(user);
      const session = await sessionOf(user);
      const first = present(await sessions().issueConsoleToken(session.handle));
      expect(await sessions().findByConsoleToken(first)).toEqual(session);
      const second = present(await sessions().issueConsoleToken(session.handle));
      expect(second).not.toBe(first);
      expect(await sessions().findByConsoleToken(first)).toBeUndefined();
      await nodes().registry.destroy(tgt);
      expect(await sessions().findByConsoleToken(second)).toBeUndefined();
      expect(await sessions().issueConsoleToken(session.handle)).toBeUndefined();
    });

    test.each(['', 'x', "' or true --", sha256('none'), 'TGT-1'])(
      'takes %j for no handle',
      async (text) => {
        expect(await sessions().find(text)).toBeUndefined();
        expect(await sessions().end(text)).toBeUndefined();
        expect(await sessions().issueConsoleToken(text)).toBeUndefined();
        expect(await sessions().findByConsoleToken(text)).toBeUndefined();
      },
    );

    test('takes neither a TGT nor the handle of a PGT for a session', async () => {
      const { tgt, pgt } = await nodes().grantProxy();
      const proxied = sha256(pgt.text);
      for (const text of [tgt.text, proxied]) {
        expect(await sessions().find(text)).toBeUndefined();
        expect(await sessions().end(text)).toBeUndefined();
      }
      expect(await nodes().registry.isLive(pgt)).toBe(true);
    });
  });
}
