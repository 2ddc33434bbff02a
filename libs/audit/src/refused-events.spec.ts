import { beforeEach, describe, expect, test } from '@jest/globals';
import type { AuditRecord } from './audit-event.js';
import { RefusedEvents } from './refused-events.js';

/** Events of a network that are stored themselves, in 10 s. */
const MAX_STORED = 20;
const MAX_NETWORKS = 200;
const MAX_STORED_PRINCIPALS = 5;
const BEGIN = Date.parse('2026-01-01T10:00:00Z');

let refused: RefusedEvents;

beforeEach(() => {
  refused = new RefusedEvents();
});

function recordOf(fields: Partial<AuditRecord> = {}, milliseconds = 0): AuditRecord {
  return {
    occurredAt: new Date(BEGIN + milliseconds),
    action: 'VALIDATE_TICKET',
    outcome: 'failure',
    reason: 'INVALID_TICKET',
    principal: null,
    subject: null,
    service: 'https://a.example.org/',
    session: 'TGT-a91f',
    clientAddress: '192.0.2.1',
    requestId: 'r1',
    application: 'sso',
    node: 'n1',
    details: { any: 'thing' },
    ...fields,
  };
}

/** The number of those that are to be stored themselves. */
function add(count: number, fields: Partial<AuditRecord> = {}, milliseconds = 0): number {
  const record = recordOf(fields, milliseconds);
  return Array.from({ length: count }, () => refused.count(record)).filter((each) => !each).length;
}

function counts(before = Infinity): unknown[] {
  return refused
    .take(before)
    .map(({ occurredAt, action, reason, clientAddress, details }) => [
      occurredAt.getTime() - BEGIN,
      action,
      reason,
      clientAddress,
      details,
    ]);
}

describe('events that are all stored', () => {
  test.each<[string, Partial<AuditRecord>]>([
    ['are those that succeed', { outcome: 'success' }],
    ['are those of no caller', { clientAddress: null }],
  ])('%s', (_what, fields) => {
    expect(add(1_000, fields)).toBe(1_000);
    expect(refused.isEmpty).toBe(true);
  });

  test('are as many of each network in 10 s, also if they are unknown', () => {
    expect(add(MAX_STORED, { outcome: 'unknown' })).toBe(MAX_STORED);
    expect(add(1)).toBe(0);
    expect(add(1, { clientAddress: '192.0.2.2' })).toBe(1);
    expect(add(1, {}, 9_999)).toBe(0);
    expect(add(1, {}, 10_000)).toBe(1);
    // The clock of the machine was set back.
    expect(add(1, {}, -1)).toBe(1);
  });
});

describe('further events', () => {
  test('are one with their number, for each second, network, action and reason', () => {
    for (const clientAddress of ['192.0.2.1', '2001:db8::1']) add(MAX_STORED, { clientAddress });
    add(3, {}, 100);
    add(2, { service: 'https://b.example.org/' }, 999);
    add(2, { clientAddress: '2001:db8::2' }, 500);
    add(1, { action: 'LOGIN' }, 600);
    add(1, { reason: 'INVALID_SERVICE' }, 700);
    add(4, {}, 1_000);
    expect(counts(BEGIN + 1_999)).toEqual([
      [100, 'VALIDATE_TICKET', 'INVALID_TICKET', '192.0.2.1', { count: 5 }],
      [500, 'VALIDATE_TICKET', 'INVALID_TICKET', '2001:db8:0:0::/64', { count: 2 }],
      [600, 'LOGIN', 'INVALID_TICKET', '192.0.2.1', { count: 1 }],
      [700, 'VALIDATE_TICKET', 'INVALID_SERVICE', '192.0.2.1', { count: 1 }],
    ]);
    const [, , , , count] = counts()[0] as unknown[];
    expect([count, refused.isEmpty]).toEqual([{ count: 4 }, true]);
  });

  test('have nothing of what a caller can choose but its address', () => {
    add(MAX_STORED + 1);
    expect(refused.take(Infinity)).toEqual([
      {
        ...recordOf(),
        principal: null,
        service: null,
        session: null,
        requestId: null,
        details: { count: 1 },
      },
    ]);
  });

  test('are by principal, too: of those with the most, whatever else the network does', () => {
    add(MAX_STORED);
    const names = Array.from({ length: 30 }, (_, at) => `name-${at}`);
    for (const principal of names) add(2, { action: 'LOGIN', principal });
    add(7, { action: 'LOGIN', principal: 'ann' });
    add(5);
    const taken = refused.take(Infinity);
    expect(taken).toHaveLength(2 + MAX_STORED_PRINCIPALS);
    expect(taken.map(({ principal, details }) => [principal, details])).toEqual([
      [null, { count: 5 }],
      [null, { count: 2 * (names.length - (MAX_STORED_PRINCIPALS - 1)) }],
      ['ann', { count: 7 }],
      ...names.slice(0, MAX_STORED_PRINCIPALS - 1).map((name) => [name, { count: 2 }]),
    ]);
    expect(refused.isEmpty).toBe(true);
  });

  test('keep the principal where there are too many networks', () => {
    for (let at = 0; at <= MAX_NETWORKS * 2; at += 1) {
      add(MAX_STORED + 1, { clientAddress: `2001:db8:0:${at}::1` });
    }
    add(9, { action: 'LOGIN', principal: 'ann', clientAddress: '192.0.2.7' });
    expect(refused.take(Infinity).at(-1)).toMatchObject({
      principal: 'ann',
      clientAddress: '192.0.2.7',
      details: { count: 9 },
    });
  });

  test('of very many networks are one for all networks beyond those', () => {
    const addresses = Array.from({ length: MAX_NETWORKS * 3 }, (_, at) => `2001:db8:0:${at}::1`);
    const stored = addresses.map((clientAddress) => add(MAX_STORED + 1, { clientAddress }));
    expect(stored.filter((each) => each > 0)).toHaveLength(MAX_NETWORKS);
    const taken = refused.take(Infinity);
    expect(taken).toHaveLength(MAX_NETWORKS + 1);
    expect(taken.at(-1)).toMatchObject({
      clientAddress: null,
      details: { count: (MAX_STORED + 1) * MAX_NETWORKS * 2 },
    });
  });
});
