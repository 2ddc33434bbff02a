import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { poolOf } from '@tessera/database';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/database.js';
import {
  consumeStatement,
  grantProxyTicketStatement,
  grantStatement,
  REMOVE_EXPIRED,
} from './statements.js';

/** Reads all rows there are, or all sessions that live. */
const READS_ALL =
  /Seq Scan on (ticket_granting_ticket|service_ticket_\d)|ticket_granting_ticket_expires_at/;

describe('on tables that were never analysed', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  async function planOf(statement: string): Promise<string> {
    const answer = await poolOf(database.dataSource).query<{ 'QUERY PLAN': string }>(
      `explain (generic_plan) ${statement}`,
    );
    return answer.rows.map((row) => row['QUERY PLAN']).join('\n');
  }

  test.each([
    ['granting an ST', grantStatement('0')],
    ['granting a PT', grantProxyTicketStatement('1')],
    ['consuming', consumeStatement('2')],
  ])('%s looks sessions and tickets up by their ids alone', async (_, statement) => {
    const plan = await planOf(statement);
    expect(plan).toContain('ticket_granting_ticket_pkey');
    expect(plan).not.toMatch(READS_ALL);
  });

  test('cleaning reads expired sessions alone', async () => {
    const plan = await planOf(REMOVE_EXPIRED);
    expect(plan).toContain('ticket_granting_ticket_expires_at');
    expect(plan).not.toContain('Seq Scan');
  });
});
