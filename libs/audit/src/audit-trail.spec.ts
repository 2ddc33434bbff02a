import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { configureLogging, withRequest, type LogLevel } from '@tessera/logging';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.js';
import { AuditEventEntity } from './audit-event.entity.js';
import type { AuditEvent, AuditRecord } from './audit-event.js';
import { AuditTrail } from './audit-trail.js';

const TGT = `TGT-${'x'.repeat(39)}a91f-n1`;
const EVENT: AuditEvent = {
  action: 'REGISTER_SERVICE',
  outcome: 'success',
  subject: '7',
  principal: "Robert'); drop table audit_event;-- \u202e",
  session: TGT,
  clientAddress: '192.0.2.1',
  details: { name: 'Wiki', evaluationOrder: -5, enabled: true },
};

let database: TestDatabase;
let trail: AuditTrail;
let waiting: AuditRecord[];
let isStored: boolean;

beforeAll(async () => {
  database = await createTestDatabase({ entities: [AuditEventEntity] });
  const writer = { add: (record: AuditRecord) => void waiting.push(record) };
  trail = new AuditTrail(writer, {
    application: 'sso',
    node: 'n1',
    isStored: () => isStored,
  });
});
afterAll(() => database.drop());
beforeEach(async () => {
  waiting = [];
  isStored = true;
  await database.dataSource.query('delete from audit_event');
});

const stored = () =>
  database.dataSource.query<readonly Record<string, unknown>[]>('select * from audit_event');

describe('an event in a transaction', () => {
  test('is not stored where the transaction fails', async () => {
    const failing = database.dataSource.transaction(async (transaction) => {
      await trail.recordIn(transaction, EVENT);
      throw new Error('the change failed');
    });
    await expect(failing).rejects.toThrow('the change failed');
    expect(await stored()).toEqual([]);
  });

  test('fails the transaction where it cannot be stored', async () => {
    await database.dataSource.query('alter table audit_event add constraint closed check (false)');
    try {
      const failing = database.dataSource.transaction((transaction) =>
        trail.recordIn(transaction, EVENT),
      );
      await expect(failing).rejects.toThrow('closed');
    } finally {
      await database.dataSource.query('alter table audit_event drop constraint closed');
    }
  });

  test('is stored with everything', async () => {
    await trail.recordIn(database.dataSource.manager, EVENT);
    const [event] = await stored();
    expect(event).toEqual({
      action: 'REGISTER_SERVICE',
      outcome: 'success',
      reason: null,
      subject: '7',
      principal: EVENT.principal,
      service: null,
      details: EVENT.details,
      id: expect.stringMatching(/^[1-9]\d*$/),
      occurred_at: expect.any(Date),
      session: 'TGT-…f-n1',
      client_address: '192.0.2.1',
      request_id: null,
      application: 'sso',
      node: 'n1',
    });
    expect(Math.abs(Date.now() - Number(event?.['occurred_at']))).toBeLessThan(60_000);
  });

  test('with a whole ticket in it is refused by the database itself', async () => {
    const insert =
      "insert into audit_event (occurred_at, action, outcome, session, application, node) values (now(), 'X', 'success', $1, 'x', 'x')";
    await expect(database.dataSource.query(insert, [TGT])).rejects.toThrow('session_is_masked');
  });
});

describe('an event', () => {
  test('has the id and the client address of its request', () => {
    withRequest({ id: 'r1', clientAddress: '192.0.2.9' }, () => {
      trail.record({ action: 'LOGOUT', outcome: 'success' });
      trail.record(EVENT);
    });
    trail.record({ action: 'LOGOUT', outcome: 'success' });
    expect(waiting).toMatchObject([
      { requestId: 'r1', clientAddress: '192.0.2.9' },
      { requestId: 'r1', clientAddress: '192.0.2.1' },
      { requestId: null, clientAddress: null },
    ]);
  });

  test.each([
    ['a query', 'https://a.example.org/b?token=secret#c', 'https://a.example.org/b'],
    ['a password', 'https://ann:hunter2@a.example.org/@b', 'https://a.example.org/@b'],
    ['any length', `https://a/${'b'.repeat(9_000)}`, `https://a/${'b'.repeat(2_038)}`],
  ])('has the URL of a service without %s', (_, service, recorded) => {
    trail.record({ action: 'GRANT_TICKET', outcome: 'success', service });
    expect(waiting).toMatchObject([{ service: recorded }]);
  });

  test.each(['failure', 'unknown'] as const)(
    'of outcome %s, which anybody can cause, has a short URL and short details',
    (outcome) => {
      const service = `https://a/${'b'.repeat(9_000)}`;
      trail.record({ action: 'VALIDATE_TICKET', outcome, service, details: { service } });
      const short = service.slice(0, 256);
      expect(waiting).toMatchObject([{ service: short, details: { service: short } }]);
    },
  );

  test.each([
    ['TGT-abc', 'TGT-…-abc'],
    [`PGT-${'p'.repeat(40)}tail`, 'PGT-…tail'],
    ['TGT-\0', 'TGT-…GT-\uFFFD'],
    ['TGT-x😀abc', 'TGT-…\uFFFDabc'],
    ['TGT', null],
    ['../../etc/passwd', null],
    ['ST-1-secretsecret', null],
  ])('has no more of the ticket %s than %s', (session, recorded) => {
    trail.record({ action: 'LOGOUT', outcome: 'success', session });
    expect(waiting).toMatchObject([{ session: recorded }]);
  });

  test.each([
    ['NUL', 'a\0b', 'a\uFFFDb'],
    ['half a surrogate pair', 'a\ud800', 'a\uFFFD'],
    ['too many characters', 'a'.repeat(300), 'a'.repeat(255)],
    ['an emoji across the limit', `${'a'.repeat(254)}😀`, `${'a'.repeat(254)}\uFFFD`],
  ])('has a name without %s', (_, principal, recorded) => {
    const details = { [principal]: [{ principal }], at: new Date(0) };
    trail.record({ ...EVENT, principal, details });
    expect(waiting).toMatchObject([{ principal: recorded }]);
    const json = JSON.stringify(waiting[0]?.details);
    expect(json).not.toMatch(/\\u0000|\\ud800/);
    expect(json).toContain('"at":"1970-01-01T00:00:00.000Z"');
  });

  test.each(['principal', 'subject', 'reason', 'service'] as const)(
    'has no whole ticket where a caller gives one as %s',
    (field) => {
      trail.record({ ...EVENT, [field]: TGT, details: { given: [TGT] } });
      expect(JSON.stringify(waiting)).not.toContain('xxxx');
      expect(waiting).toMatchObject([{ [field]: 'TGT-…f-n1' }]);
    },
  );

  test('is not stored where it is switched off', async () => {
    isStored = false;
    trail.record(EVENT);
    await trail.recordIn(database.dataSource.manager, EVENT);
    expect(waiting).toEqual([]);
    expect(await stored()).toEqual([]);
  });
});

describe('the log', () => {
  const lines: string[] = [];
  const configure = (level: LogLevel): void =>
    configureLogging({
      application: 'sso',
      levels: { root: level },
      write: (line) => lines.push(line),
    });
  beforeEach(() => {
    lines.length = 0;
  });
  afterEach(() => configureLogging({ application: 'sso', levels: {} }));

  test('has a line with the field names of ECS, without the ticket', () => {
    configure('info');
    trail.log({ ...EVENT, service: 'https://a.example.org/?x=secret', reason: 'R' });
    const [line = ''] = lines;
    expect(JSON.parse(line)).toMatchObject({
      level: 'info',
      logger: 'audit',
      msg: 'REGISTER_SERVICE success',
      '@timestamp': expect.stringMatching(/^20.*Z$/),
      'event.action': 'REGISTER_SERVICE',
      'event.outcome': 'success',
      'event.reason': 'R',
      'client.address': '192.0.2.1',
      'url.full': 'https://a.example.org/',
      'service.name': 'sso',
      'service.node.name': 'n1',
      'labels.subject': '7',
      'labels.session': 'TGT-…f-n1',
      'labels.details': EVENT.details,
    });
    expect(line).not.toMatch(/xxxx|secret/);
  });

  test.each([
    ['info', 0],
    ['debug', 1],
  ] as const)('at level %s has %i lines for a login', (level, count) => {
    configure(level);
    isStored = false;
    trail.record({ action: 'LOGIN', outcome: 'failure', principal: 'ann' });
    expect(lines).toHaveLength(count);
  });
});
