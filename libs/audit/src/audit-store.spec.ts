import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { poolOf } from '@tessera/database';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.js';
import type { AuditRecord } from './audit-event.js';
import { AuditSearch, AuditStore, type AuditQuery } from './audit-store.js';

const DAY = 86_400_000;

let database: TestDatabase;
let store: AuditStore;
let search: AuditSearch;

beforeAll(async () => {
  database = await createTestDatabase();
  store = new AuditStore(poolOf(database.dataSource));
  search = new AuditSearch((text, values) => database.dataSource.query(text, values));
});
afterAll(() => database.drop());
beforeEach(() => database.dataSource.query('delete from audit_event'));

const recordAt = (time: string, fields: Partial<AuditRecord> = {}): AuditRecord => ({
  occurredAt: new Date(time),
  action: 'LOGIN',
  outcome: 'success',
  reason: null,
  principal: 'ann',
  subject: null,
  service: null,
  session: null,
  clientAddress: null,
  requestId: null,
  application: 'sso',
  node: 'n1',
  details: null,
  ...fields,
});

const partitions = async (): Promise<readonly string[]> => {
  const rows = await database.dataSource.query<readonly { readonly name: string }[]>(
    `select inhrelid::regclass::text as name from pg_inherits
     where inhparent = 'audit_event'::regclass order by name`,
  );
  return rows.map(({ name }) => name);
};

test('records of months without a partition are stored, on both sides of midnight in UTC', async () => {
  await store.insert([
    recordAt('2031-01-31T23:59:59.999Z'),
    recordAt('2031-02-01T00:00:00.000Z'),
    recordAt('1999-12-31T12:00:00.000Z', { details: { n: 1 } }),
  ]);
  expect(await search.find({}, 10)).toHaveLength(3);
  expect(await partitions()).toEqual(
    expect.arrayContaining(['audit_event_1999_12', 'audit_event_2031_01', 'audit_event_2031_02']),
  );
});

test('many processes create the same partition at once', async () => {
  await Promise.all(
    Array.from({ length: 8 }, () => store.insert([recordAt('2032-05-05T00:00:00Z')])),
  );
  expect(await search.find({}, 10)).toHaveLength(8);
});

test('one record that cannot be stored keeps the others of its batch out', async () => {
  const bad = recordAt('2031-01-01T00:00:00Z', { session: 'TGT-whole-ticket-1234567890' });
  await expect(store.insert([recordAt('2031-01-01T00:00:00Z'), bad])).rejects.toMatchObject({
    code: '23514',
  });
  expect(await search.find({}, 10)).toEqual([]);
});

test('a node of the version before can still insert', async () => {
  await database.dataSource.query(
    `insert into audit_event (action, subject, principal, session, client_address, application, node, details)
     values ('REGISTER_SERVICE', '7', 'ann', 'TGT-…a91f', '192.0.2.1', 'sso', 'n1', '{}')`,
  );
  expect(await search.find({}, 10)).toMatchObject([
    { action: 'REGISTER_SERVICE', outcome: 'success' },
  ]);
});

describe('retention', () => {
  const dropAll = async (): Promise<number> => {
    let dropped = 0;
    while ((await store.dropExpired(100 * DAY)) > 0) dropped += 1;
    return dropped;
  };

  test('drops partitions all of whose records are older, and no others', async () => {
    const now = Date.now();
    const old = new Date(now - 200 * DAY).toISOString();
    const recent = new Date(now - 40 * DAY).toISOString();
    await store.insert([recordAt(old), recordAt(recent)]);
    const count = (await partitions()).length;
    expect(await dropAll()).toBeGreaterThanOrEqual(1);
    expect(await search.find({}, 10)).toMatchObject([{ occurredAt: new Date(recent) }]);
    expect((await partitions()).length).toBeLessThan(count);
  });

  test('is applied by several processes at once, and leaves other partitions alone', async () => {
    const old = [300, 270, 240].map((days) => new Date(Date.now() - days * DAY).toISOString());
    await store.insert(old.map((time) => recordAt(time)));
    await database.dataSource.query('create table audit_other partition of audit_event default');
    try {
      await Promise.all([dropAll(), dropAll(), dropAll()]);
      expect(await search.find({}, 10)).toEqual([]);
      expect(await partitions()).toContain('audit_other');
    } finally {
      await database.dataSource.query('drop table audit_other');
    }
  });

  test('keeps a month until its last moment is old enough', async () => {
    const [row] = await database.dataSource.query<readonly { readonly age: number }[]>(
      `select extract(epoch from now() - date_trunc('month', now(), 'UTC')) * 1000 as age`,
    );
    const age = Number(row?.age);
    await store.insert([recordAt(new Date(Date.now() - age - 1_000).toISOString())]);
    expect(await store.dropExpired(age + 60_000)).toBe(0);
    expect(await search.find({}, 1)).toHaveLength(1);
  });
});

describe('a search', () => {
  beforeEach(() =>
    store.insert([
      recordAt('2026-01-01T10:00:00Z'),
      recordAt('2026-01-01T11:00:00Z', { principal: 'bob', outcome: 'failure' }),
      recordAt('2026-01-01T12:00:00Z', {
        action: 'VALIDATE_TICKET',
        service: 'https://wiki.example.org/a',
      }),
      recordAt('2026-01-01T12:00:00Z', {
        action: 'VALIDATE_TICKET',
        service: 'https://wiki.example.org.evil/%_',
      }),
    ]),
  );

  test.each<[string, AuditQuery, readonly number[]]>([
    ['everything', {}, [12, 12, 11, 10]],
    ['a principal', { principal: 'bob' }, [11]],
    ['a principal, exactly', { principal: 'b%' }, []],
    ['an outcome', { outcome: 'success' }, [12, 12, 10]],
    ['an action', { action: 'LOGIN' }, [11, 10]],
    ['the start of a service', { service: 'https://wiki.example.org/' }, [12]],
    ['the start of a service, literally', { service: 'https://wiki_' }, []],
    ['a time on', { since: new Date('2026-01-01T11:00:00Z') }, [12, 12, 11]],
    ['a time before', { until: new Date('2026-01-01T11:00:00Z') }, [10]],
    ['all at once', { principal: 'ann', action: 'LOGIN', outcome: 'success' }, [10]],
    ["a quote's end", { principal: "' or true --" }, []],
  ])('finds %s, the newest first', async (_, query, hours) => {
    const found = await search.find(query, 10);
    expect(found.map(({ occurredAt }) => occurredAt.getUTCHours())).toEqual(hours);
  });

  test('goes on page by page, also between records of the same time', async () => {
    const seen: string[] = [];
    let before = (await search.find({}, 1)).at(-1);
    while (before !== undefined) {
      seen.push(before.id);
      before = (await search.find({}, 1, before)).at(-1);
    }
    expect(new Set(seen).size).toBe(4);
  });
});
