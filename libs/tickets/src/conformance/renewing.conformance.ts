// Conformance of a further login in a session: it replaces who logged in, how and when, and nothing else.
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { newTicketId, type TicketId } from '../ticket-id.js';
import { handleOf, type Authentication } from '../ticket-registry.js';
import { AUTHENTICATION, KINDS, SERVICE, type Nodes } from './nodes.conformance.js';

/** A login of the same user, so many minutes after the first. */
function laterBy(minutes: number, user = AUTHENTICATION.principal.id): Authentication {
  const at = new Date(AUTHENTICATION.authenticatedAt.getTime() + minutes * 60_000);
  return {
    principal: { id: user, attributes: { mail: [`${minutes}@example.org`] } },
    handler: `handler ${minutes}`,
    credentialType: 'X509CertificateCredential',
    authenticatedAt: at,
    methods: [
      { method: 'password', at: new Date(at.getTime() - 1_000) },
      { method: 'certificate', at },
    ],
  };
}

export function describeRenewing(nodes: () => Nodes): void {
  describe('a further login in a session', () => {
    const renew = (tgt: TicketId, authentication = laterBy(1), turn = 0) =>
      nodes().nodeOf(turn).renewTicketGrantingTicket(tgt, authentication);
    const found = (tgt: TicketId) => nodes().otherNode.findTicketGrantingTicket(tgt);

    test('replaces its authentication on all nodes', async () => {
      const tgt = await nodes().login();
      const ticket = await nodes().grant(tgt);
      expect(await renew(tgt)).toBe(true);
      expect(await found(tgt)).toEqual(laterBy(1));
      const details = await nodes().otherNode.sessions.find(handleOf(tgt));
      expect(details?.authentication).toEqual(laterBy(1));
      const { methods: _, ...told } = laterBy(1);
      expect((await nodes().registry.consume(ticket))?.authentication).toEqual(told);
    });

    test('keeps its tickets, and the services that are told of its end', async () => {
      const { tgt, pgt, pt } = await nodes().grantProxy();
      const ticket = await nodes().signIn(tgt);
      const st = await nodes().grant(tgt);
      await renew(tgt);
      for (const id of [tgt, pgt, pt, st]) expect(await nodes().otherNode.isLive(id)).toBe(true);
      expect(await nodes().servicesOf(tgt)).toEqual([
        { protocol: 'cas', application: SERVICE, sessionIndexes: [ticket] },
      ]);
      await nodes().registry.destroy(tgt);
      await nodes().emptyQueue();
    });

    test('moves it to the front of the list', async () => {
      const [first, second] = [await nodes().login('renewed'), await nodes().login('renewed')];
      const listed = async () =>
        (await nodes().otherNode.sessions.list({ principal: 'renewed', limit: 2 })).map(
          ({ handle }) => handle,
        );
      for (const tgt of [first, second]) {
        expect(await renew(tgt, laterBy(tgt === first ? 1 : 2, 'renewed'))).toBe(true);
        expect((await listed())[0]).toBe(handleOf(tgt));
      }
    });

    test.each<[string, () => Promise<TicketId>]>([
      [
        'has ended',
        async () => {
          const tgt = await nodes().login();
          await nodes().otherNode.destroy(tgt);
          return tgt;
        },
      ],
      [
        'has expired',
        async () => {
          const brief = nodes().withLifetimes({ grantingTicketMax: 100 });
          const tgt = await brief.createTicketGrantingTicket(AUTHENTICATION);
          await nodes().untilGone(tgt);
          return tgt;
        },
      ],
      ['was never there', () => Promise.resolve(newTicketId('TGT'))],
    ])('does nothing where it %s', async (_, make) => {
      const tgt = await make();
      expect(await renew(tgt)).toBe(false);
      expect(await found(tgt)).toBeUndefined();
    });

    test('changes no session of another user', async () => {
      const tgt = await nodes().login();
      for (const user of ['Ann', 'ann ', 'bob']) {
        expect(await renew(tgt, laterBy(1, user))).toBe(false);
      }
      expect(await found(tgt)).toEqual(AUTHENTICATION);
    });

    test.each(KINDS)('takes no unknown %s for a session', async (kind) => {
      expect(await renew(newTicketId(kind))).toBe(false);
    });

    test('takes no PGT for a session', async () => {
      const { tgt, pgt } = await nodes().grantProxy();
      expect(await renew(pgt)).toBe(false);
      expect(await renew({ ...pgt, kind: 'TGT' })).toBe(false);
      expect(await found(tgt)).toEqual(AUTHENTICATION);
    });

    test('does not outlive the hard limit, but the idle time', async () => {
      const brief = nodes().withLifetimes({ grantingTicketIdle: 500, grantingTicketMax: 2_000 });
      const tgt = await brief.createTicketGrantingTicket(AUTHENTICATION);
      const end = Date.now() + 1_500;
      let minutes = 1;
      while (Date.now() < end) {
        expect(await brief.renewTicketGrantingTicket(tgt, laterBy(minutes))).toBe(true);
        minutes += 1;
        await pause(50);
      }
      while (await brief.renewTicketGrantingTicket(tgt, laterBy(minutes))) await pause(50);
      expect(await brief.findTicketGrantingTicket(tgt)).toBeUndefined();
    });

    test('leaves a remembered one remembered', async () => {
      const brief = nodes().withLifetimes({ grantingTicketIdle: 100 });
      const tgt = await brief.createTicketGrantingTicket(AUTHENTICATION, { isRemembered: true });
      expect(await brief.renewTicketGrantingTicket(tgt, laterBy(1))).toBe(true);
      await pause(200);
      expect(await found(tgt)).toEqual(laterBy(1));
    });

    test('of several at the same time, the last one stays as a whole', async () => {
      const tgt = await nodes().login();
      const minutes = [3, 1, 7, 5, 2, 6, 4];
      const renewed = await Promise.all(
        minutes.map((each, turn) => renew(tgt, laterBy(each), turn)),
      );
      expect(renewed).toEqual(minutes.map(() => true));
      expect(await found(tgt)).toEqual(laterBy(7));
    });

    test('brings none back that ends at the same time', async () => {
      await Promise.all(
        Array.from({ length: 30 }, async (_, turn) => {
          const tgt = await nodes().login();
          await Promise.all([renew(tgt, laterBy(1), turn), nodes().registry.destroy(tgt)]);
          expect(await found(tgt)).toBeUndefined();
          expect(await renew(tgt)).toBe(false);
        }),
      );
    });
  });
}
