import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { poolOf } from '@tessera/database';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/database.js';
import type { TicketLifetimes } from '../lifetimes.js';
import type { TicketId } from '../ticket-id.js';
import { PostgresTicketRegistry } from './postgres-ticket-registry.js';
import { rotate, slotOf } from './ring.js';

const LIFETIMES: TicketLifetimes = {
  grantingTicketMax: 3_600_000,
  grantingTicketIdle: 3_600_000,
  rememberedGrantingTicket: 14 * 24 * 3_600_000,
  serviceTicket: 60_000,
  proxyTicket: 60_000,
};
const NO_PERIOD = 0;

describe('the ring of service ticket tables', () => {
  let database: TestDatabase;
  let registry: PostgresTicketRegistry;
  let tgt: TicketId;

  beforeEach(async () => {
    database = await createTestDatabase();
    registry = newNode();
    tgt = await registry.createTicketGrantingTicket({
      principal: { id: 'ann', attributes: {} },
      handler: 'static',
      credentialType: 'UsernamePasswordCredential',
      authenticatedAt: new Date(),
      methods: [],
    });
  });
  afterEach(() => database.drop());

  const newNode = (lifetimes: TicketLifetimes = LIFETIMES) =>
    new PostgresTicketRegistry(pool(), { lifetimes });
  const pool = () => poolOf(database.dataSource);
  const sql = async (text: string) => (await pool().query<Record<string, unknown>>(text)).rows;
  const rotateNow = () => rotate(pool(), NO_PERIOD);

  async function grant(node = registry): Promise<TicketId> {
    const granted = await node.grantServiceTicket({
      grantingTicket: tgt,
      service: 'https://app/',
      withCredentials: false,
      newLoginOnly: false,
    });
    if (granted.outcome !== 'granted') throw new Error(granted.outcome);
    return granted.id;
  }

  /** Makes every ticket of a table expire. */
  const expire = (slot: number) => sql(`update service_ticket_${slot} set expires_at = now()`);

  test('does not rotate while no ticket was granted', async () => {
    expect(await rotateNow()).toBe(false);
  });

  test('does not rotate before the end of the period', async () => {
    await grant();
    await sql('update service_ticket_ring set rotated_at = now()');
    expect(await rotate(pool(), 60_000)).toBe(false);
  });

  test('rotates by one table, and tickets go there from the second request on', async () => {
    const before = await grant();
    expect(await rotateNow()).toBe(true);
    const during = await grant();
    const after = await grant();
    expect([before, during, after].map(({ text }) => slotOf(text))).toEqual(['0', '0', '1']);
    for (const id of [before, during, after]) expect(await registry.consume(id)).toBeDefined();
  });

  test('truncates the next table, dead rows included', async () => {
    for (let turns = 0; turns < 3; turns += 1) {
      await grant();
      await grant();
      expect(await rotateNow()).toBe(true);
    }
    await grant();
    await grant();
    await expire(0);
    expect(await sql('select count(*)::int as n from service_ticket_0')).toEqual([{ n: 3 }]);
    expect(await rotateNow()).toBe(true);
    expect(await sql('select pg_relation_size($$service_ticket_0$$)::int as n')).toEqual([
      { n: 0 },
    ]);
    expect(await sql('select slot from service_ticket_ring')).toEqual([{ slot: 0 }]);
  });

  test('never empties a table that holds a live ticket', async () => {
    const oldest = await grant();
    for (let turns = 0; turns < 3; turns += 1) {
      await grant();
      expect(await rotateNow()).toBe(true);
      await grant();
    }
    await grant();
    expect(await rotateNow()).toBe(false);
    expect(await registry.consume(oldest)).toBeDefined();
  });

  test.each([
    ['shortened', 3_600_000, 1_000],
    ['lengthened', 60_000, 3_600_000],
  ])(
    'keeps a ticket for its own time after lifetimes were %s, however often it is cleaned',
    async (_how, before, after) => {
      registry = newNode({ ...LIFETIMES, serviceTicket: before, proxyTicket: before });
      const oldest = await grant();
      registry = newNode({ ...LIFETIMES, serviceTicket: after, proxyTicket: after });
      for (let turns = 0; turns < 8; turns += 1) {
        await grant();
        await sql(`update service_ticket_ring set rotated_at = now() - interval '1 day'`);
        await registry.clean();
      }
      // It has wrapped around and stops before the table with the ticket.
      expect(await sql('select slot from service_ticket_ring')).toEqual([{ slot: 3 }]);
      expect(await registry.consume(oldest)).toBeDefined();
    },
  );

  test('is followed at once by a node that missed two rotations', async () => {
    const idle = newNode();
    await grant(idle);
    for (let turns = 0; turns < 2; turns += 1) {
      await grant();
      await grant();
      expect(await rotateNow()).toBe(true);
    }
    const id = await grant(idle);
    expect(slotOf(id.text)).toBe('2');
    expect(await registry.consume(id)).toBeDefined();
  });

  test('is rotated by one node of several', async () => {
    await grant();
    const rotated = await Promise.all([rotateNow(), rotateNow(), rotateNow(), rotateNow()]);
    expect(rotated.filter(Boolean)).toHaveLength(1);
  });

  test('leaves a locked table for later, within a bounded time', async () => {
    await grant();
    const holder = await pool().connect();
    try {
      await holder.query('begin; lock table service_ticket_1 in row exclusive mode');
      expect(await rotateNow()).toBe(false);
      await holder.query('commit');
      expect(await rotateNow()).toBe(true);
    } finally {
      holder.release();
    }
  });

  test('stores no id, only its hash', async () => {
    const { text } = await grant();
    const rows = await sql(
      'select id from service_ticket_0 union all select id from ticket_granting_ticket',
    );
    const stored = rows.map(({ id }) => (id as Buffer).toString('latin1')).join();
    expect(rows.every(({ id }) => (id as Buffer).length === 32)).toBe(true);
    expect(stored).not.toContain(text);
  });

  test('costs no write-ahead log for tickets: the tables are unlogged', async () => {
    const unlogged = await sql(
      `select relname from pg_class where relname ~ '^service_ticket_\\d$' and relpersistence = 'u'`,
    );
    expect(unlogged).toHaveLength(4);
  });
});
