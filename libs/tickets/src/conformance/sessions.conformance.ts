// Conformance of sessions: their data, their lifetimes, and the look-up of their tickets.
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { newTicketId } from '../ticket-id.js';
import {
  AUTHENTICATION,
  idOf,
  KINDS,
  proxyAt,
  requestFor,
  type Nodes,
} from './nodes.conformance.js';

export function describeSessions(nodes: () => Nodes): void {
  describe('a session', () => {
    test('has the authentication of its login', async () => {
      expect(await nodes().registry.findTicketGrantingTicket(await nodes().login())).toEqual(
        AUTHENTICATION,
      );
    });

    test('is found by its TGT alone', async () => {
      const { pgt, pt } = await nodes().grantProxy();
      for (const id of [pgt, pt, newTicketId('TGT')]) {
        expect(await nodes().registry.findTicketGrantingTicket(id)).toBeUndefined();
      }
    });

    test('is found by its PGT, and by no other ticket in place of one', async () => {
      const { tgt, pgt, pt } = await nodes().grantProxy();
      const { registry } = nodes();
      expect(await registry.findProxyGrantingTicket(pgt)).toEqual({
        authentication: AUTHENTICATION,
        proxy: proxyAt('https://p1/'),
      });
      for (const id of [tgt, pt, newTicketId('PGT')]) {
        expect(await registry.findProxyGrantingTicket(id)).toBeUndefined();
      }
      await registry.destroy(tgt);
      expect(await registry.findProxyGrantingTicket(pgt)).toBeUndefined();
    });

    test('that is used outlives its idle time, but not its hard limit', async () => {
      const brief = nodes().withLifetimes({ grantingTicketIdle: 400, grantingTicketMax: 1_500 });
      const tgt = await brief.createTicketGrantingTicket(AUTHENTICATION);
      const end = Date.now() + 1_000;
      while (Date.now() < end) {
        expect((await brief.grantServiceTicket(requestFor(tgt))).outcome).toBe('granted');
        await pause(50);
      }
      while ((await brief.grantServiceTicket(requestFor(tgt))).outcome === 'granted') {
        await pause(50);
      }
      expect(Date.now()).toBeGreaterThanOrEqual(end);
    });

    test('that is remembered outlives its idle time unused, up to a limit of its own', async () => {
      const brief = nodes().withLifetimes({ grantingTicketIdle: 100, grantingTicketMax: 100 });
      const tgt = await brief.createTicketGrantingTicket(AUTHENTICATION, { isRemembered: true });
      await pause(300);
      // A use must not bring the idle time back.
      expect((await brief.grantServiceTicket(requestFor(tgt))).outcome).toBe('granted');
      await pause(300);
      expect(await brief.findTicketGrantingTicket(tgt)).toEqual(AUTHENTICATION);
      const short = nodes().withLifetimes({ rememberedGrantingTicket: 100 });
      const ended = await short.createTicketGrantingTicket(AUTHENTICATION, { isRemembered: true });
      await pause(150);
      expect(await short.findTicketGrantingTicket(ended)).toBeUndefined();
    });

    test('is extended by consuming a ticket too', async () => {
      const brief = nodes().withLifetimes({ grantingTicketIdle: 1_500 });
      const tgt = await brief.createTicketGrantingTicket(AUTHENTICATION);
      const tickets = await Promise.all(
        Array.from({ length: 12 }, async () =>
          idOf(await brief.grantServiceTicket(requestFor(tgt))),
        ),
      );
      for (const ticket of tickets) {
        await pause(200);
        expect(await brief.consume(ticket)).toBeDefined();
      }
    });

    test('is not extended by a look-up', async () => {
      const brief = nodes().withLifetimes({ grantingTicketIdle: 300 });
      const tgt = await brief.createTicketGrantingTicket(AUTHENTICATION);
      await nodes().untilGone(tgt);
      expect(await brief.findTicketGrantingTicket(tgt)).toBeUndefined();
    });
  });

  describe('a look-up', () => {
    test('finds each kind live and consumes nothing', async () => {
      const { tgt, pgt, pt } = await nodes().grantProxy();
      const st = await nodes().grant(tgt);
      for (const id of [tgt, pgt, pt, st, tgt, pgt, pt, st]) {
        expect(await nodes().registry.isLive(id)).toBe(true);
      }
      expect(await nodes().registry.consume(st)).toBeDefined();
      expect(await nodes().registry.isLive(st)).toBe(false);
    });

    test.each(KINDS)('finds no unknown %s', async (kind) => {
      expect(await nodes().registry.isLive(newTicketId(kind))).toBe(false);
    });
  });
}
