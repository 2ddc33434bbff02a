// Conformance of granting service tickets: the right parent, and one new login per session.
import { describe, expect, test } from '@jest/globals';
import { newTicketId } from '../ticket-id.js';
import {
  AUTHENTICATION,
  idOf,
  read,
  requestFor,
  SERVICE,
  UNKNOWN,
  type Nodes,
} from './nodes.conformance.js';

export function describeGranting(nodes: () => Nodes): void {
  describe('granting', () => {
    test.each(['ST', 'PT', 'PGT', 'PGTIOU', 'LR'] as const)(
      'refuses a %s in place of a TGT',
      async (kind) => {
        const grant = await nodes().registry.grantServiceTicket(requestFor(newTicketId(kind)));
        expect(grant).toEqual({ outcome: 'granting-ticket-not-found' });
      },
    );

    test('refuses a live PGT in place of a TGT, and a live TGT in place of a PGT', async () => {
      const { tgt, pgt } = await nodes().grantProxy();
      const refused = { outcome: 'granting-ticket-not-found' };
      expect(await nodes().registry.grantServiceTicket(requestFor(pgt))).toEqual(refused);
      expect(await nodes().registry.grantProxyTicket(tgt, SERVICE)).toEqual(refused);
    });

    test.each(UNKNOWN)('refuses an unknown TGT: %s', async (text) => {
      const tgt = read(text.replace(/^[A-Z]+/, 'TGT'));
      const grant = await nodes().registry.grantServiceTicket(requestFor(tgt));
      expect(grant).toEqual({ outcome: 'granting-ticket-not-found' });
    });

    test('refuses a TGT that was destroyed, expired or idle too long', async () => {
      const brief = nodes().withLifetimes({ grantingTicketIdle: 100 });
      const idle = await brief.createTicketGrantingTicket(AUTHENTICATION);
      const old = await nodes()
        .withLifetimes({ grantingTicketMax: 100 })
        .createTicketGrantingTicket(AUTHENTICATION);
      const destroyed = await nodes().login();
      await nodes().registry.destroy(destroyed);
      for (const tgt of [idle, old, destroyed]) {
        await nodes().untilGone(tgt);
        const grant = await nodes().registry.grantServiceTicket(requestFor(tgt));
        expect(grant).toEqual({ outcome: 'granting-ticket-not-found' });
      }
    });

    test('in one batch refuses the unknown and serves their neighbours', async () => {
      const tgts = await Promise.all(Array.from({ length: 20 }, () => nodes().login()));
      const mixed = tgts.map((tgt, index) => (index % 3 ? tgt : newTicketId('TGT')));
      const grants = await Promise.all(
        mixed.map((tgt) => nodes().registry.grantServiceTicket(requestFor(tgt))),
      );
      expect(grants.map(({ outcome }) => outcome === 'granted')).toEqual(
        mixed.map((_, index) => index % 3 !== 0),
      );
    });

    test('counts exactly one of many first tickets as a new login, on two nodes', async () => {
      const tgt = await nodes().login();
      const grants = await Promise.all(
        Array.from({ length: 40 }, (_, turn) =>
          nodes().nodeOf(turn).grantServiceTicket(requestFor(tgt)),
        ),
      );
      const consumed = await Promise.all(
        grants.map((grant) => nodes().registry.consume(idOf(grant))),
      );
      expect(consumed.filter((ticket) => ticket?.fromNewLogin)).toHaveLength(1);
    });

    test('with credentials counts as a new login however old the session', async () => {
      const tgt = await nodes().login();
      await nodes().grant(tgt);
      const st = idOf(
        await nodes().registry.grantServiceTicket(requestFor(tgt, { withCredentials: true })),
      );
      expect(await nodes().registry.consume(st)).toMatchObject({ fromNewLogin: true });
    });

    test('for new logins only grants the first and refuses the second', async () => {
      const tgt = await nodes().login();
      const only = requestFor(tgt, { newLoginOnly: true });
      expect((await nodes().registry.grantServiceTicket(only)).outcome).toBe('granted');
      expect((await nodes().registry.grantServiceTicket(only)).outcome).toBe('new-login-required');
      const again = { ...only, withCredentials: true };
      expect((await nodes().registry.grantServiceTicket(again)).outcome).toBe('granted');
    });

    test('does not deadlock when two nodes use the same sessions', async () => {
      const tgts = await Promise.all(Array.from({ length: 30 }, () => nodes().login()));
      const grants = await Promise.all([
        ...tgts.map((tgt) => nodes().registry.grantServiceTicket(requestFor(tgt))),
        ...tgts.toReversed().map((tgt) => nodes().otherNode.grantServiceTicket(requestFor(tgt))),
      ]);
      expect(grants.every(({ outcome }) => outcome === 'granted')).toBe(true);
    });

    test('while the session is being destroyed grants or refuses, and never fails', async () => {
      for (let round = 0; round < 30; round += 1) {
        const tgt = await nodes().login();
        const [, ...grants] = await Promise.all([
          nodes().otherNode.destroy(tgt),
          ...[0, 1, 2].map((turn) => nodes().nodeOf(turn).grantServiceTicket(requestFor(tgt))),
        ]);
        const outcomes = grants.map(({ outcome }) => outcome);
        expect(['granted', 'granting-ticket-not-found']).toEqual(expect.arrayContaining(outcomes));
      }
    });
  });
}
