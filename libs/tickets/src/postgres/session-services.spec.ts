// The services of sessions, and the logout messages that the end of a session queues.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { poolOf } from '@tessera/database';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/database.js';
import { AUTHENTICATION, Nodes, SERVICE } from '../conformance/nodes.conformance.js';
import type { TicketId } from '../ticket-id.js';
import { PostgresTicketRegistry } from './postgres-ticket-registry.js';

const RECORDED = { recordsService: true };

let database: TestDatabase;
let nodes: Nodes;

beforeAll(async () => {
  database = await createTestDatabase();
  const pool = poolOf(database.dataSource);
  nodes = new Nodes({
    make: (lifetimes) => new PostgresTicketRegistry(pool, { lifetimes: () => lifetimes }),
    close: () => Promise.resolve(),
  });
});
beforeEach(() => rows('delete from ticket_granting_ticket', 'delete from pgboss.job'));
afterAll(() => database.drop());

async function rows<Row>(...statements: readonly string[]): Promise<readonly Row[]> {
  let found: readonly Row[] = [];
  for (const each of statements) found = await database.dataSource.query<readonly Row[]>(each);
  return found;
}

const login = (): Promise<TicketId> => nodes.registry.createTicketGrantingTicket(AUTHENTICATION);

/** The tickets of the queued messages. */
async function messages(): Promise<readonly string[]> {
  const found = await rows<{ ticket: string }>(
    `select data ->> 'ticket' as ticket from pgboss.job where name = 'logout-messages'`,
  );
  return found.map(({ ticket }) => ticket).toSorted();
}

describe('a consumed ticket', () => {
  test('records its service, where that is asked for', async () => {
    const tgt = await login();
    const [recorded, other] = [await nodes.grant(tgt), await nodes.grant(tgt)];
    await Promise.all([nodes.registry.consume(recorded, RECORDED), nodes.registry.consume(other)]);
    expect(await nodes.otherNode.findServices(tgt)).toEqual([
      { service: SERVICE, tickets: [recorded.text] },
    ]);
  });

  test('records it for the session of its proxy', async () => {
    const { tgt, pgt } = await nodes.grantProxy();
    const grant = await nodes.registry.grantProxyTicket(pgt, 'https://backend/');
    const ticket = grant.outcome === 'granted' ? grant.id : pgt;
    expect(await nodes.registry.consume(ticket, RECORDED)).toBeDefined();
    expect(await nodes.registry.findServices(tgt)).toEqual([
      { service: 'https://backend/', tickets: [ticket.text] },
    ]);
    expect(await nodes.registry.findServices(pgt)).toEqual([]);
  });

  test('records nothing when it is consumed again', async () => {
    const tgt = await login();
    const ticket = await nodes.grant(tgt);
    await nodes.registry.consume(ticket);
    expect(await nodes.registry.consume(ticket, RECORDED)).toBeUndefined();
    expect(await nodes.registry.findServices(tgt)).toEqual([]);
  });
});

test('a session keeps the last eight tickets of a service, of one batch or of several', async () => {
  const tgt = await login();
  const tickets: TicketId[] = [];
  for (let each = 0; each < 21; each += 1) tickets.push(await nodes.grant(tgt));
  const [first, ...others] = tickets;
  await nodes.registry.consume(first!, RECORDED);
  for (const from of [0, 3, 6]) {
    await Promise.all(
      others.slice(from, from + 3).map((each) => nodes.registry.consume(each, RECORDED)),
    );
  }
  const kept = others.slice(1, 9).map(({ text }) => text);
  const [service] = await nodes.registry.findServices(tgt);
  expect(service?.tickets.toSorted()).toEqual(kept.toSorted());
  await Promise.all(others.slice(9).map((each) => nodes.registry.consume(each, RECORDED)));
  expect((await nodes.registry.findServices(tgt))[0]?.tickets).toHaveLength(8);
});

test('a session records at most a thousand services, and further tickets of these', async () => {
  const tgt = await login();
  await rows(`
    insert into session_service (session_id, service_hash, service, tickets)
    select id, sha256(n::text::bytea), n, '{ST}' from ticket_granting_ticket
    cross join generate_series(1, 998) n`);
  const consumeFor = async (service: string): Promise<string> => {
    const ticket = await nodes.grant(tgt, service);
    expect(await nodes.registry.consume(ticket, RECORDED)).toBeDefined();
    return ticket.text;
  };
  const first = await consumeFor('https://first/');
  // One more has room, whatever their batches are.
  await Promise.all(['1', '2', '3', '4'].map((each) => consumeFor(`https://other/${each}`)));
  const second = await consumeFor('https://first/');
  const found = await nodes.registry.findServices(tgt);
  expect(found).toHaveLength(1_000);
  expect(found).toContainEqual({ service: 'https://first/', tickets: [first, second] });
  await nodes.registry.destroy(tgt);
  expect(await messages()).toHaveLength(1_001);
});

test('a session that ends while tickets are validated: each accepted one gets a message, and no other', async () => {
  const accepted: string[] = [];
  await Promise.all(
    Array.from({ length: 60 }, async () => {
      const tgt = await login();
      const tickets = [await nodes.grant(tgt), await nodes.grant(tgt)];
      const consume = async (node: number, ticket: TicketId): Promise<void> => {
        const registry = [nodes.registry, nodes.otherNode][node];
        if (await registry?.consume(ticket, RECORDED)) accepted.push(ticket.text);
      };
      await Promise.all([
        ...tickets.map((ticket, node) => consume(node, ticket)),
        nodes.registry.destroy(tgt),
      ]);
    }),
  );
  expect(await messages()).toEqual(accepted.toSorted());
  expect(await rows('select from session_service')).toEqual([]);
});

test('many sessions of a user that end at once wait for no ticket for ever', async () => {
  const [own = await login(), ...others] = await Promise.all(Array.from({ length: 20 }, login));
  const tickets = await Promise.all(others.map((tgt) => nodes.grant(tgt)));
  const consumed = await Promise.all([
    ...tickets.map((ticket) => nodes.otherNode.consume(ticket, RECORDED)),
    nodes.registry.destroyOtherSessions(own),
  ]);
  const accepted = tickets.filter((_, index) => consumed[index] !== undefined);
  expect(await messages()).toEqual(accepted.map(({ text }) => text).toSorted());
});
