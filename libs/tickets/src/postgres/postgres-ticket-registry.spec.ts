import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type DurableStatements, poolOf } from '@tessera/database';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/database.js';
import { AUTHENTICATION, LONG, Nodes } from '../conformance/nodes.conformance.js';
import type { TicketLifetimes } from '../lifetimes.js';
import type { TicketId } from '../ticket-id.js';
import { handleOf } from '../ticket-registry.js';
import { describeTicketRegistry } from '../ticket-registry.conformance.js';
import { PostgresTicketRegistry } from './postgres-ticket-registry.js';

describeTicketRegistry('on PostgreSQL', async () => {
  const database = await createTestDatabase();
  return {
    make: (lifetimes) => new PostgresTicketRegistry(poolOf(database.dataSource), { lifetimes }),
    close: () => database.drop(),
  };
});

describe('lifetimes that change', () => {
  const MINUTE = 60_000;
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  /** The remaining lifetimes of all tickets, in whole minutes, ascending. */
  async function remaining(): Promise<readonly number[]> {
    const rows = await database.dataSource.query<readonly { minutes: number }[]>(`
      select ceil(extract(epoch from expires_at - now()) / 60)::int as minutes from (
        select expires_at from ticket_granting_ticket where session_id is null
        union all select hard_expires_at from ticket_granting_ticket where session_id is null
        union all select expires_at from service_ticket_0) as e order by expires_at`);
    return rows.map(({ minutes }) => minutes);
  }

  test('apply to new tickets, and existing tickets keep theirs', async () => {
    const pool = poolOf(database.dataSource);
    const withMinutes = (idle: number, max: number, st: number, pt: number) => {
      const lifetimes: TicketLifetimes = {
        grantingTicketIdle: idle * MINUTE,
        rememberedGrantingTicket: 14 * 24 * 3_600_000,
        grantingTicketMax: max * MINUTE,
        serviceTicket: st * MINUTE,
        proxyTicket: pt * MINUTE,
      };
      const registry = new PostgresTicketRegistry(pool, { lifetimes });
      const nodes = new Nodes({ make: () => registry, close: () => Promise.resolve() });
      return { registry, nodes };
    };
    const before = withMinutes(30, 40, 10, 20).nodes;
    await before.grant((await before.grantProxy()).tgt);
    expect(await remaining()).toEqual([10, 20, 30, 40]);
    const { registry, nodes } = withMinutes(3, 4, 1, 2);
    await nodes.grant(await registry.createTicketGrantingTicket(AUTHENTICATION));
    expect(await remaining()).toEqual([1, 3, 4, 10, 20, 30, 40]);
    await nodes.grantProxy();
    expect(await remaining()).toEqual([1, 2, 3, 3, 4, 4, 10, 20, 30, 40]);
  });
});

test('logins at the same time share a statement, and one that PostgreSQL refuses fails alone', async () => {
  const database = await createTestDatabase();
  try {
    const statements: string[] = [];
    const pool = poolOf(database.dataSource);
    const durable = {
      query(...[statement, values]: Parameters<DurableStatements['query']>) {
        statements.push(typeof statement === 'string' ? statement : (statement.name ?? ''));
        return pool.query(statement as string, values && [...values]);
      },
    } as Pick<DurableStatements, 'query'>;
    const registry = new PostgresTicketRegistry(pool, { lifetimes: LONG, durable });
    const login = (name: string) =>
      registry.createTicketGrantingTicket({
        ...AUTHENTICATION,
        principal: { id: name, attributes: { mail: [`${name}@example.org`] } },
      });
    const names = ['first', 'zoe', 'nul\0', 'ann', 'bob'];
    const outcomes = await Promise.allSettled(names.map(login));
    expect(outcomes.map(({ status }) => status)).toEqual(
      names.map((name) => (name.includes('\0') ? 'rejected' : 'fulfilled')),
    );
    // The first alone, the others together, and then each of them alone.
    expect(statements).toEqual(Array(1 + 1 + 4).fill('create-session'));
    for (const [index, outcome] of outcomes.entries()) {
      if (outcome.status === 'rejected') continue;
      const session = await registry.findTicketGrantingTicket(outcome.value);
      expect(session?.principal.id).toBe(names[index]);
    }
  } finally {
    await database.drop();
  }
});

test('each end of sessions by this process is reported, and nothing else', async () => {
  const database = await createTestDatabase();
  try {
    const pool = poolOf(database.dataSource);
    let ends = 0;
    const onSessionsEnded = () => void (ends += 1);
    const registry = new PostgresTicketRegistry(pool, { lifetimes: LONG, onSessionsEnded });
    const nodes = new Nodes({ make: () => registry, close: () => Promise.resolve() });
    const endsBy = async (work: (tgt: TicketId) => Promise<unknown>): Promise<number> => {
      const tgt = await nodes.login();
      const before = ends;
      await work(tgt);
      return ends - before;
    };
    expect(await endsBy((tgt) => registry.destroy(tgt))).toBe(1);
    expect(await endsBy((tgt) => registry.sessions.end(handleOf(tgt)))).toBe(1);
    expect(await endsBy(() => registry.sessions.endAll('ann'))).toBe(1);
    expect(await endsBy(expireAndClean)).toBe(1);
    expect(await endsBy(async (tgt) => registry.destroy(await nodes.grant(tgt)))).toBe(0);
    expect(await endsBy(() => registry.clean())).toBe(0);
    const gone = await nodes.login();
    await registry.destroy(gone);
    expect(await endsBy(() => registry.destroy(gone))).toBe(0);

    async function expireAndClean(): Promise<void> {
      await pool.query(`update ticket_granting_ticket set expires_at = now()`);
      await registry.clean();
    }
  } finally {
    await database.drop();
  }
});

test('cleaning removes logout messages 30 days after the end of their session', async () => {
  const database = await createTestDatabase();
  try {
    const query = (text: string) => database.dataSource.query<readonly { id: string }[]>(text);
    await query(`insert into logout_message (id, principal, service, ticket, ended_at)
      select 'LR-' || days, 'ann', 'https://a/', 'ST-1', now() - days * interval '1 day'
      from unnest(array[29, 31]) as days`);
    const pool = poolOf(database.dataSource);
    await new PostgresTicketRegistry(pool, { lifetimes: LONG }).clean();
    expect(await query('select id from logout_message')).toEqual([{ id: 'LR-29' }]);
  } finally {
    await database.drop();
  }
});
