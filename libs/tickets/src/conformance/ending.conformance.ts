// Conformance of destroying tickets: their descendants end with them, and no other tickets.
import { describe, expect, test } from '@jest/globals';
import { newTicketId } from '../ticket-id.js';
import {
  AUTHENTICATION,
  idOf,
  KINDS,
  proxyAt,
  present,
  SERVICE,
  type Nodes,
} from './nodes.conformance.js';

export function describeEnding(nodes: () => Nodes): void {
  describe('destroying', () => {
    test('a TGT ends its STs, PGTs and PTs, and no other session', async () => {
      const other = await nodes().grantProxy();
      const { tgt, pgt, pt } = await nodes().grantProxy();
      const st = await nodes().grant(tgt);
      await nodes().registry.destroy(tgt);
      for (const id of [tgt, pgt, pt, st]) expect(await nodes().otherNode.isLive(id)).toBe(false);
      expect(await nodes().registry.consume(pt)).toBeUndefined();
      expect((await nodes().registry.grantProxyTicket(pgt, SERVICE)).outcome).not.toBe('granted');
      for (const id of [other.tgt, other.pgt, other.pt]) {
        expect(await nodes().registry.isLive(id)).toBe(true);
      }
    });

    test('a PGT ends its PTs and the PGTs created from them, and leaves the session', async () => {
      const { tgt, pgt, pt } = await nodes().grantProxy();
      const consumed = await nodes().registry.consume(
        idOf(await nodes().registry.grantProxyTicket(pgt, SERVICE)),
      );
      const child = await nodes().registry.createProxyGrantingTicket(
        present(consumed).grantedBy,
        proxyAt('https://p2/'),
      );
      await nodes().registry.destroy(pgt);
      for (const id of [pgt, pt, present(child)]) {
        expect(await nodes().registry.isLive(id)).toBe(false);
      }
      expect(await nodes().registry.isLive(tgt)).toBe(true);
    });

    test('an ST ends that ticket alone', async () => {
      const tgt = await nodes().login();
      const [st, sibling] = [await nodes().grant(tgt), await nodes().grant(tgt)];
      await nodes().registry.destroy(st);
      expect(await nodes().registry.consume(st)).toBeUndefined();
      expect(await nodes().registry.consume(sibling)).toBeDefined();
    });

    test.each(KINDS)('an unknown %s is no error', async (kind) => {
      await nodes().registry.destroy(newTicketId(kind));
    });

    test('the parent allows no PGT any more', async () => {
      const tgt = await nodes().login();
      const consumed = await nodes().registry.consume(await nodes().grant(tgt));
      await nodes().registry.destroy(tgt);
      const pgt = await nodes().registry.createProxyGrantingTicket(
        present(consumed).grantedBy,
        proxyAt('https://p1/'),
      );
      expect(pgt).toBeUndefined();
    });
  });

  describe('cleaning', () => {
    test('removes expired sessions and leaves the live ones', async () => {
      const brief = nodes().withLifetimes({ grantingTicketMax: 50 });
      const expired = await brief.createTicketGrantingTicket(AUTHENTICATION);
      const live = await nodes().login();
      await nodes().untilGone(expired);
      let removed = 0;
      for (let report = await nodes().registry.clean(); report.sessions > 0;) {
        removed += report.sessions;
        report = await nodes().registry.clean();
      }
      expect(removed).toBeGreaterThanOrEqual(1);
      expect(await nodes().registry.isLive(live)).toBe(true);
    });

    test('on several nodes at once does no harm', async () => {
      const st = await nodes().grant(await nodes().login());
      await Promise.all([0, 1, 2, 3].map((turn) => nodes().nodeOf(turn).clean()));
      expect(await nodes().registry.consume(st)).toBeDefined();
    });
  });
}
