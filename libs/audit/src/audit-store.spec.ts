import * as fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { poolOf } from '@tessera/database';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.js';
import { clearAuditTrail } from '../../../test/support/audit-records.js';
import type { AuditRecord } from './audit-event.js';
import { recordOf } from './audit-record.js';
import { AuditSearch, type AuditQuery } from './audit-search.js';
import { AuditStore } from './audit-store.js';

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
beforeEach(() => clearAuditTrail(database.dataSource));

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

/** Above the ids of the table's sequence. */
let nextId = 2 ** 52;
const insert = async (records: readonly AuditRecord[]): Promise<void> => {
  const firstId = nextId;
  nextId += records.length;
  await store.insert(records, firstId);
};

const partitions = async (): Promise<readonly string[]> => {
  const rows = await database.dataSource.query<readonly { readonly name: string }[]>(
    `select inhrelid::regclass::text as name from pg_inherits
     where inhparent = 'audit_event'::regclass order by name`,
  );
  return rows.map(({ name }) => name);
};

test('records of months without a partition are stored, on both sides of midnight in UTC', async () => {
  await insert([
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
  await Promise.all(Array.from({ length: 8 }, () => insert([recordAt('2032-05-05T00:00:00Z')])));
  expect(await search.find({}, 10)).toHaveLength(8);
});

test('a batch that was stored, but not answered, is stored once', async () => {
  const batch = [
    recordAt('2031-01-01T00:00:00Z'),
    recordAt('2031-01-01T00:00:00.999Z', { principal: 'bob' }),
  ];
  await store.insert(batch, 2 ** 52);
  await store.insert(batch, 2 ** 52);
  expect((await search.find({}, 10)).map(({ principal }) => principal)).toEqual(['bob', 'ann']);
});

test('events with any texts can be found', async () => {
  const text = fc.string({ unit: 'binary', maxLength: 30 }).map((end) => `${end}\0\ud83d"\\`);
  const event = fc.record({
    reason: text,
    principal: text,
    subject: text,
    service: text,
    session: text.map((end) => `TGT-${end}`),
    details: fc.dictionary(text, fc.jsonValue({ stringUnit: 'binary' })),
  });
  const now = recordAt(new Date().toISOString());
  const source = { application: 'sso', node: 'n1' };
  const records = fc.sample(event, 200).map((each) => ({
    ...recordOf({ action: 'LOGIN', outcome: 'failure', ...each }, source),
    occurredAt: now.occurredAt,
  }));
  await insert(records);
  expect(await search.find({ action: 'LOGIN' }, 1_000)).toHaveLength(200);
});

test('an event is found with all fields, and one that a statement of SQL inserted', async () => {
  const record = recordAt('2031-01-01T00:00:00.007Z', {
    reason: 'r',
    principal: 'änn "x" \\ \n',
    subject: 's',
    service: 'https://a/b',
    session: 'TGT-…a91f',
    clientAddress: '192.0.2.1',
    requestId: 'q',
    details: { n: [1, { 'k"': null }] },
  });
  await insert([record]);
  await database.dataSource.query(
    `insert into audit_event (action, application, node) values ('LOGOUT', 'cli', 'n2')`,
  );
  const found = await search.find({}, 10);
  expect(found[0]).toEqual({ ...record, id: String(nextId - 1) });
  expect(found[1]).toMatchObject({ action: 'LOGOUT', application: 'cli', node: 'n2' });
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
    await insert([recordAt(old), recordAt(recent)]);
    const count = (await partitions()).length;
    expect(await dropAll()).toBeGreaterThanOrEqual(1);
    expect(await search.find({}, 10)).toMatchObject([{ occurredAt: new Date(recent) }]);
    expect((await partitions()).length).toBeLessThan(count);
  });

  test('is applied by several processes at once, and leaves other partitions alone', async () => {
    const old = [300, 270, 240].map((days) => new Date(Date.now() - days * DAY).toISOString());
    await insert(old.map((time) => recordAt(time)));
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
    await insert([recordAt(new Date(Date.now() - age - 1_000).toISOString())]);
    expect(await store.dropExpired(age + 60_000)).toBe(0);
    expect(await search.find({}, 1)).toHaveLength(1);
  });
});

describe('a search', () => {
  beforeEach(async () => {
    await store.ensurePartitions([new Date('2026-01-01')]);
    await database.dataSource.query(
      `insert into audit_event (occurred_at, action, principal, subject, application, node)
       values ('2026-01-01T09:00:00Z', 'END_SESSIONS', 'root', 'ann', 'sso', 'n2'),
         ('2026-01-01T11:00:00Z', 'END_SESSIONS', 'root', 'carl', 'sso', 'n2')`,
    );
    await insert([
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
    ]);
  });

  test.each<[string, AuditQuery, readonly number[]]>([
    ['everything', {}, [12, 12, 11, 11, 10, 9]],
    ['a user who acted', { user: 'bob' }, [11]],
    ['a user who acted, and was acted on', { user: 'ann' }, [12, 12, 10, 9]],
    ['a user, exactly', { user: 'b%' }, []],
    ['an outcome', { outcome: 'success' }, [12, 12, 11, 10, 9]],
    ['an action', { action: 'LOGIN' }, [11, 10]],
    ['the start of a service', { service: 'https://wiki.example.org/' }, [12]],
    ['an empty start of a service', { service: '' }, [12, 12, 11, 11, 10, 9]],
    ['the start of a service, literally', { service: 'https://wiki_' }, []],
    ['a time on', { since: new Date('2026-01-01T11:00:00Z') }, [12, 12, 11, 11]],
    ['a time before', { until: new Date('2026-01-01T11:00:00Z') }, [10, 9]],
    ['all at once', { user: 'ann', action: 'LOGIN', outcome: 'success' }, [10]],
    ["a quote's end", { user: "' or true --" }, []],
  ])('finds %s, the newest first', async (_, query, hours) => {
    const found = await search.find(query, 10);
    expect(found.map(({ occurredAt }) => occurredAt.getUTCHours())).toEqual(hours);
  });

  test.each<[string, AuditQuery, readonly string[]]>([
    ['everything', {}, ['pkey']],
    ['a user', { user: 'ann' }, ['principal', 'subject']],
    [
      'a user, from a time on',
      { user: 'ann', since: new Date('2026-01-01T09:30:00Z') },
      ['principal', 'subject'],
    ],
  ])('finds %s by index, without sorting what it does not return', async (_, query, indexes) => {
    const explained: string[] = [];
    const explain = new AuditSearch(async (text, values) => {
      const rows = await database.dataSource.transaction(async (session) => {
        await session.query('set local enable_seqscan = off');
        await session.query('set local enable_bitmapscan = off');
        return session.query<readonly { 'QUERY PLAN': string }[]>(`explain ${text}`, values);
      });
      explained.push(...rows.map((row) => row['QUERY PLAN']));
      return [];
    });
    await explain.find(query, 10);
    const scans = explained.flatMap(
      (line) => /Index Scan.* using audit_event_2026_01_(\w+?)(?:_\w+)? on/.exec(line)?.[1] ?? [],
    );
    expect(scans).toEqual(indexes);
  });

  test('goes on page by page, also between records of the same time', async () => {
    const seen: string[] = [];
    let before = (await search.find({}, 1)).at(-1);
    while (before !== undefined) {
      seen.push(before.id);
      before = (await search.find({}, 1, before)).at(-1);
    }
    expect(new Set(seen).size).toBe(6);
  });
});
