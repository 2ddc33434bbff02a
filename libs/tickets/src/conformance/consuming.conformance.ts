// Conformance of consuming a ticket: one winner, its own data, and nothing for a ticket that is not live.
import { describe, expect, test } from '@jest/globals';
import { newTicketId } from '../ticket-id.js';
import {
  AUTHENTICATION,
  TOLD_AUTHENTICATION,
  idOf,
  proxyAt,
  present,
  read,
  requestFor,
  SERVICE,
  UNKNOWN,
  type Nodes,
} from './nodes.conformance.js';

export function describeConsuming(nodes: () => Nodes): void {
  describe('consuming', () => {
    test('gives the service, the login and its principal as they were', async () => {
      const st = await nodes().grant(await nodes().login(), 'https://app/?q=\'"\\{},NULL');
      expect(await nodes().registry.consume(st)).toMatchObject({
        service: 'https://app/?q=\'"\\{},NULL',
        fromNewLogin: true,
        authentication: TOLD_AUTHENTICATION,
        proxies: [],
      });
    });

    test('happens once', async () => {
      const st = await nodes().grant(await nodes().login());
      expect(await nodes().registry.consume(st)).toBeDefined();
      expect(await nodes().registry.consume(st)).toBeUndefined();
      expect(await nodes().otherNode.consume(st)).toBeUndefined();
    });

    test('has one winner among 100 at once, on two nodes', async () => {
      for (let round = 0; round < 10; round += 1) {
        const st = await nodes().grant(await nodes().login());
        const attempts = Array.from({ length: 100 }, (_, turn) => nodes().nodeOf(turn).consume(st));
        const won = (await Promise.all(attempts)).filter((consumed) => consumed !== undefined);
        expect(won).toHaveLength(1);
      }
    });

    test('of many tickets in overlapping batches gives each to one, in both nodes orders', async () => {
      const tgt = await nodes().login();
      const ids = await Promise.all(Array.from({ length: 60 }, () => nodes().grant(tgt)));
      const outcomes = await Promise.all([
        ...ids.map((id) => nodes().registry.consume(id)),
        ...ids.toReversed().map((id) => nodes().otherNode.consume(id)),
      ]);
      expect(outcomes.filter((consumed) => consumed !== undefined)).toHaveLength(60);
    });

    test('gives each caller of a batch its own ticket', async () => {
      const tgt = await nodes().login();
      const services = Array.from({ length: 50 }, (_, index) => `https://app/${index}`);
      const ids = await Promise.all(services.map((service) => nodes().grant(tgt, service)));
      const consumed = await Promise.all(ids.map((id) => nodes().registry.consume(id)));
      expect(consumed.map((ticket) => ticket?.service)).toEqual(services);
    });

    test.each(['TGT', 'PGT', 'PGTIOU', 'LR'] as const)('refuses a %s', async (kind) => {
      expect(await nodes().registry.consume(newTicketId(kind))).toBeUndefined();
    });

    test('of a TGT refuses and leaves it', async () => {
      const tgt = await nodes().login();
      expect(await nodes().registry.consume(tgt)).toBeUndefined();
      expect(await nodes().registry.isLive(tgt)).toBe(true);
    });

    test.each(UNKNOWN)('refuses an unknown id: %s', async (text) => {
      expect(await nodes().registry.consume(read(text))).toBeUndefined();
    });

    test('an ST under the prefix of a PT, or the other way round, finds nothing', async () => {
      const st = await nodes().grant(await nodes().login());
      expect(await nodes().registry.consume(read(st.text.replace('ST-', 'PT-')))).toBeUndefined();
      expect(await nodes().registry.consume(st)).toBeDefined();
    });

    test('of an expired ST finds nothing', async () => {
      const brief = nodes().withLifetimes({ serviceTicket: 50 });
      const st = idOf(await brief.grantServiceTicket(requestFor(await nodes().login())));
      await nodes().untilGone(st);
      expect(await nodes().registry.consume(st)).toBeUndefined();
    });

    test('of an ST with a shorter lifetime of its own finds nothing', async () => {
      const { registry } = nodes();
      const tgt = await nodes().login();
      const st = idOf(await registry.grantServiceTicket({ ...requestFor(tgt), lifetime: 50 }));
      const other = idOf(await registry.grantServiceTicket(requestFor(tgt)));
      await nodes().untilGone(st);
      expect(await registry.consume(st)).toBeUndefined();
      expect(await registry.consume(other)).toBeDefined();
    });

    test('of tickets with a longer lifetime of their own finds nothing after that of all', async () => {
      const brief = nodes().withLifetimes({ serviceTicket: 50, proxyTicket: 50 });
      const { tgt, pgt } = await nodes().grantProxy();
      const lifetime = 3_600_000;
      const st = idOf(await brief.grantServiceTicket({ ...requestFor(tgt), lifetime }));
      const pt = idOf(await brief.grantProxyTicket(pgt, SERVICE, lifetime));
      for (const ticket of [st, pt]) {
        await nodes().untilGone(ticket);
        expect(await nodes().registry.consume(ticket)).toBeUndefined();
      }
    });

    test('of a PT with a shorter lifetime of its own finds nothing', async () => {
      const { pgt } = await nodes().grantProxy();
      const pt = idOf(await nodes().registry.grantProxyTicket(pgt, SERVICE, 50));
      await nodes().untilGone(pt);
      expect(await nodes().registry.consume(pt)).toBeUndefined();
    });

    test('of an ST whose TGT was destroyed finds nothing', async () => {
      const tgt = await nodes().login();
      const st = await nodes().grant(tgt);
      await nodes().registry.destroy(tgt);
      expect(await nodes().registry.consume(st)).toBeUndefined();
    });

    test('of an ST whose TGT expired finds nothing', async () => {
      const brief = nodes().withLifetimes({ grantingTicketMax: 150 });
      const tgt = await brief.createTicketGrantingTicket(AUTHENTICATION);
      const st = await nodes().grant(tgt);
      await nodes().untilGone(tgt);
      expect(await nodes().registry.consume(st)).toBeUndefined();
    });

    test('of a PT names the proxies, newest first', async () => {
      const { pt } = await nodes().grantProxy();
      const first = await nodes().registry.consume(pt);
      expect(first).toMatchObject({ proxies: ['https://p1/'], fromNewLogin: false });
      const second = await nodes().registry.createProxyGrantingTicket(
        present(first).grantedBy,
        proxyAt('https://p2/'),
      );
      const pt2 = idOf(await nodes().registry.grantProxyTicket(present(second), SERVICE));
      expect(await nodes().registry.consume(pt2)).toMatchObject({
        authentication: TOLD_AUTHENTICATION,
        proxies: ['https://p2/', 'https://p1/'],
      });
    });
  });
}
