import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { configureLogging } from '@tessera/logging';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.js';
import { AuditEventEntity } from './audit-event.entity.js';
import { AuditTrail, type AuditEvent } from './audit-store.js';

const TGT = `TGT-${'x'.repeat(39)}a91f-n1`;
const EVENT: AuditEvent = {
  action: 'REGISTER_SERVICE',
  subject: '7',
  principal: "Robert'); drop table audit_event;-- \u202e",
  session: TGT,
  clientAddress: '192.0.2.1',
  details: { name: 'Wiki', evaluationOrder: -5, enabled: true },
};

let database: TestDatabase;
let trail: AuditTrail;

beforeAll(async () => {
  database = await createTestDatabase({ entities: [AuditEventEntity] });
  const events = database.dataSource.getRepository(AuditEventEntity);
  trail = new AuditTrail(events, { application: 'sso', node: 'n1' });
});
afterAll(() => database.drop());
beforeEach(() => database.dataSource.query('delete from audit_event'));

const stored = () =>
  database.dataSource.query<readonly Record<string, unknown>[]>('select * from audit_event');

describe('an event', () => {
  test('is not stored where its transaction fails', async () => {
    const failing = database.dataSource.transaction(async (transaction) => {
      await trail.record(EVENT, transaction);
      throw new Error('the change failed');
    });
    await expect(failing).rejects.toThrow('the change failed');
    expect(await stored()).toEqual([]);
  });

  test('fails its transaction where it cannot be stored', async () => {
    const unstorable = { ...EVENT, details: { name: '\u0000' } };
    const failing = database.dataSource.transaction(async (transaction) => {
      await trail.record(EVENT, transaction);
      await trail.record(unstorable, transaction);
    });
    await expect(failing).rejects.toThrow();
    expect(await stored()).toEqual([]);
  });

  test('has principal, action, time of the database, and client address', async () => {
    const { manager } = database.dataSource;
    await trail.record(EVENT, manager);
    const [event] = await stored();
    expect(event).toEqual({
      action: 'REGISTER_SERVICE',
      subject: '7',
      principal: EVENT.principal,
      details: EVENT.details,
      id: expect.stringMatching(/^[1-9]\d*$/),
      occurred_at: expect.any(Date),
      session: 'TGT-…f-n1',
      client_address: '192.0.2.1',
      application: 'sso',
      node: 'n1',
    });
    const [clock] = await manager.query<readonly { readonly recent: boolean }[]>(
      "select bool_and(occurred_at between now() - interval '1 minute' and now()) as recent from audit_event",
    );
    expect(clock?.recent).toBe(true);
  });

  test('with a whole ticket in it is refused by the database itself', async () => {
    const insert =
      "insert into audit_event (action, subject, principal, session, client_address, application, node) values ('X', '1', 'a', $1, 'x', 'x', 'x')";
    await expect(database.dataSource.query(insert, [TGT])).rejects.toThrow('session_is_masked');
  });
});

describe('the log', () => {
  const lines: string[] = [];
  beforeEach(() => {
    lines.length = 0;
    configureLogging({ application: 'sso', levels: {}, write: (line) => lines.push(line) });
  });
  afterEach(() => configureLogging({ application: 'sso', levels: {} }));

  test('has a line for an event, without its ticket', () => {
    trail.logEvent(EVENT);
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0]!)).toMatchObject({
      level: 'info',
      logger: 'audit',
      msg: 'recorded',
      action: 'REGISTER_SERVICE',
      subject: '7',
      session: 'TGT-…f-n1',
      clientAddress: '192.0.2.1',
      node: 'n1',
      details: EVENT.details,
    });
    expect(lines[0]).not.toContain('xxxx');
  });

  test('has a warning for a refusal, without its ticket', () => {
    const { action, principal, session, clientAddress } = EVENT;
    trail.logRefusal({ action, principal, session, clientAddress });
    expect(JSON.parse(lines[0]!)).toMatchObject({
      level: 'warn',
      logger: 'audit',
      msg: 'refused',
      action: 'REGISTER_SERVICE',
      session: 'TGT-…f-n1',
    });
    expect(lines[0]).not.toContain('xxxx');
  });
});
