// Conformance of single logout: the services that a session records, and the messages that its end queues.
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, test } from '@jest/globals';
import { newTicketId, type TicketId } from '../ticket-id.js';
import { handleOf, type TicketRegistry } from '../ticket-registry.js';
import { AUTHENTICATION, idOf, SERVICE, type Nodes } from './nodes.conformance.js';

const RECORDED = { recordsService: true };

export function describeSessionServices(nodes: () => Nodes): void {
  describe('single logout', () => {
    afterEach(() => nodes().emptyQueue());

    /** The session indexes of the queued messages. */
    const queued = async (): Promise<readonly string[]> => {
      const page = { state: 'waiting', limit: 2_000 } as const;
      const messages = await nodes().otherNode.logoutQueue.list(page);
      return messages.map(({ sessionIndex }) => sessionIndex).toSorted();
    };
    const textsOf = (ids: readonly TicketId[]) => ids.map(({ text }) => text).toSorted();

    test('records the service of a consumed ticket, where that is asked for', async () => {
      const tgt = await nodes().login();
      const [recorded, other] = [await nodes().grant(tgt), await nodes().grant(tgt)];
      await Promise.all([
        nodes().registry.consume(recorded, RECORDED),
        nodes().registry.consume(other),
      ]);
      expect(await nodes().registry.consume(other, RECORDED)).toBeUndefined();
      expect(await nodes().servicesOf(tgt)).toEqual([
        { protocol: 'cas', application: SERVICE, sessionIndexes: [recorded.text] },
      ]);
    });

    test('records the service of a PT for the session', async () => {
      const { tgt, pgt } = await nodes().grantProxy();
      const ticket = idOf(await nodes().registry.grantProxyTicket(pgt, 'https://backend/'));
      expect(await nodes().registry.consume(ticket, RECORDED)).toBeDefined();
      expect(await nodes().servicesOf(tgt)).toEqual([
        { protocol: 'cas', application: 'https://backend/', sessionIndexes: [ticket.text] },
      ]);
      expect(await nodes().servicesOf(pgt)).toEqual([]);
    });

    test('keeps the last eight tickets of a service, of one batch or of several', async () => {
      const tgt = await nodes().login();
      const tickets: TicketId[] = [];
      for (let each = 0; each < 21; each += 1) tickets.push(await nodes().grant(tgt));
      const consume = (from: number, to: number) =>
        Promise.all(
          tickets.slice(from, to).map((each) => nodes().registry.consume(each, RECORDED)),
        );
      for (const from of [0, 1, 4, 7]) await consume(from, from === 0 ? 1 : from + 3);
      const [service] = await nodes().servicesOf(tgt);
      expect(service?.sessionIndexes.toSorted()).toEqual(textsOf(tickets.slice(2, 10)));
      await consume(10, 21);
      expect((await nodes().servicesOf(tgt))[0]?.sessionIndexes).toHaveLength(8);
    });

    test('records at most a thousand services of a session, and further tickets of these', async () => {
      const tgt = await nodes().login();
      const first = await nodes().signIn(tgt, 'https://first/');
      const others = Array.from({ length: 1_003 }, (_, index) => `https://other/${index}`);
      await Promise.all(others.map((service) => nodes().signIn(tgt, service)));
      const second = await nodes().signIn(tgt, 'https://first/');
      const found = await nodes().servicesOf(tgt);
      expect(found).toHaveLength(1_000);
      expect(found).toContainEqual({
        protocol: 'cas',
        application: 'https://first/',
        sessionIndexes: [first, second],
      });
      await nodes().registry.destroy(tgt);
      expect(await queued()).toHaveLength(1_001);
    });

    describe('of another protocol', () => {
      const record = (tgt: TicketId, application: string, sessionIndex = 'sid', turn = 0) =>
        nodes()
          .nodeOf(turn)
          .recordApplication(handleOf(tgt), { protocol: 'oidc', application, sessionIndex });

      test('records an application once for each session index, beside a service of the same name', async () => {
        const tgt = await nodes().login();
        const ticket = await nodes().signIn(tgt);
        const recorded = await Promise.all(
          [0, 1, 2, 3].map((turn) => record(tgt, SERVICE, 'sid', turn)),
        );
        expect(recorded).toEqual([true, true, true, true]);
        expect(await record(tgt, SERVICE, 'other')).toBe(true);
        expect(await nodes().servicesOf(tgt)).toEqual([
          { protocol: 'cas', application: SERVICE, sessionIndexes: [ticket] },
          { protocol: 'oidc', application: SERVICE, sessionIndexes: ['sid', 'other'] },
        ]);
      });

      test('keeps the last eight session indexes', async () => {
        const tgt = await nodes().login();
        for (let each = 0; each < 10; each += 1) await record(tgt, 'wiki', `sid-${each}`);
        const [application] = await nodes().servicesOf(tgt);
        expect(application?.sessionIndexes).toEqual(
          Array.from({ length: 8 }, (_, index) => `sid-${index + 2}`),
        );
      });

      test('records nothing for a session that has ended, or for another ticket', async () => {
        const { tgt, pgt } = await nodes().grantProxy();
        expect(await record(pgt, 'wiki')).toBe(false);
        await nodes().registry.destroy(tgt);
        expect(await record(tgt, 'wiki')).toBe(false);
        expect(await nodes().registry.countUse(handleOf(tgt))).toBe(false);
        expect(await record(newTicketId('TGT'), 'wiki')).toBe(false);
        expect(await queued()).toEqual([]);
        const brief = nodes().withLifetimes({ grantingTicketMax: 100 });
        const expired = await brief.createTicketGrantingTicket(AUTHENTICATION);
        await nodes().untilGone(expired);
        expect(await record(expired, 'wiki')).toBe(false);
        expect(await nodes().servicesOf(expired)).toEqual([]);
      });

      test.each<[string, (brief: TicketRegistry, tgt: TicketId) => Promise<boolean>]>([
        [
          'a recorded sign-in',
          (brief, tgt) =>
            brief.recordApplication(handleOf(tgt), {
              protocol: 'oidc',
              application: 'wiki',
              sessionIndex: 'sid',
            }),
        ],
        ['one that is not recorded', (brief, tgt) => brief.countUse(handleOf(tgt))],
      ])('%s counts as a use of the session', async (_, use) => {
        const brief = nodes().withLifetimes({ grantingTicketIdle: 1_500 });
        const tgt = await brief.createTicketGrantingTicket(AUTHENTICATION);
        const end = Date.now() + 3_000;
        while (Date.now() < end) {
          expect(await use(brief, tgt)).toBe(true);
          await pause(200);
        }
        await nodes().registry.destroy(tgt);
      });

      test('queues a message for each session index, which keeps the protocol', async () => {
        const tgt = await nodes().login('ben');
        const ticket = await nodes().signIn(tgt);
        for (const sid of ['1', '2']) await record(tgt, 'wiki', sid);
        await nodes().registry.destroy(tgt);
        const { logoutQueue } = nodes().otherNode;
        await logoutQueue.address(10, () => ['a', 'b']);
        const page = { state: 'waiting', limit: 10 } as const;
        const messages = (await logoutQueue.list(page)).map(
          ({ principal, protocol, application, sessionIndex }) =>
            [principal, protocol, application, sessionIndex].join(' '),
        );
        const expected = [`ben cas ${SERVICE} ${ticket}`, 'ben oidc wiki 1', 'ben oidc wiki 2'];
        expect(messages.toSorted()).toEqual([...expected, ...expected].toSorted());
      });

      test('queues a message for each sign-in that is recorded while sessions end, and no other', async () => {
        const recorded: string[] = [];
        await Promise.all(
          Array.from({ length: 40 }, async (_, index) => {
            const tgt = await nodes().login();
            await Promise.all([
              ...[0, 1].map(async (turn) => {
                const sid = `${index}-${turn}`;
                if (await record(tgt, 'wiki', sid, turn)) recorded.push(sid);
              }),
              nodes().registry.destroy(tgt),
            ]);
          }),
        );
        expect(await queued()).toEqual(recorded.toSorted());
      });
    });

    test.each<[string, (tgt: TicketId) => Promise<unknown>]>([
      ['it is destroyed', (tgt) => nodes().registry.destroy(tgt)],
      ['an operator ends it', (tgt) => nodes().registry.sessions.end(handleOf(tgt))],
      ['all sessions of its user end', () => nodes().registry.sessions.endAll('ben')],
      [
        'it expires',
        (tgt) =>
          nodes()
            .untilGone(tgt)
            .then(() => nodes().registry.clean()),
      ],
    ])('queues a message for each ticket when %s', async (how, end) => {
      const registry = nodes().withLifetimes(
        how === 'it expires' ? { grantingTicketMax: 500 } : {},
      );
      const user = { ...AUTHENTICATION, principal: { id: 'ben', attributes: {} } };
      const tgt = await registry.createTicketGrantingTicket(user);
      const tickets = [await nodes().signIn(tgt), await nodes().signIn(tgt, 'https://other/')];
      await end(tgt);
      const messages = await registry.logoutQueue.list({ state: 'waiting', limit: 10 });
      expect(messages).toHaveLength(2);
      expect(messages).toContainEqual({
        id: expect.stringMatching(/^LR-[0-9a-zA-Z]+$/),
        principal: 'ben',
        protocol: 'cas',
        application: SERVICE,
        sessionIndex: tickets[0],
        endedAt: expect.any(Date),
        attempts: 0,
        nextAttemptAt: expect.any(Date),
        failedAt: null,
        reason: null,
      });
      expect(await queued()).toEqual(tickets.toSorted());
    });

    test('queues a message for each ticket that is accepted while sessions end, and no other', async () => {
      const accepted: string[] = [];
      await Promise.all(
        Array.from({ length: 60 }, async () => {
          const tgt = await nodes().login();
          const tickets = [await nodes().grant(tgt), await nodes().grant(tgt)];
          await Promise.all([
            ...tickets.map(async (ticket, turn) => {
              const consumed = await nodes().nodeOf(turn).consume(ticket, RECORDED);
              if (consumed !== undefined) accepted.push(ticket.text);
            }),
            nodes().registry.destroy(tgt),
          ]);
        }),
      );
      expect(await queued()).toEqual(accepted.toSorted());
    });

    test('does not deadlock when many sessions of a user end while their tickets are consumed', async () => {
      const login = () => nodes().login('carl');
      const others = await Promise.all(Array.from({ length: 20 }, login));
      const tickets = await Promise.all(others.map((tgt) => nodes().grant(tgt)));
      const consumed = await Promise.all([
        ...tickets.map((ticket) => nodes().otherNode.consume(ticket, RECORDED)),
        nodes().registry.sessions.endAll('carl'),
      ]);
      const accepted = tickets.filter((_, index) => consumed[index] !== undefined);
      expect(await queued()).toEqual(textsOf(accepted));
    });
  });
}
