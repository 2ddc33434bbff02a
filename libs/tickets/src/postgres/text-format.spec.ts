import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { poolOf } from '@tessera/database';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/database.js';
import { anyText } from '../../../../test/support/any-text.js';
import { hashTicketId } from '../ticket-id.js';
import {
  booleanArray,
  keyArray,
  keyOf,
  readConsumedRow,
  readGrantRow,
  textArray,
} from './text-format.js';

describe('parameters', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  async function read(type: string, text: string): Promise<unknown> {
    const answer = await poolOf(database.dataSource).query<{ value: unknown }>(
      `select $1::${type} as value`,
      [text],
    );
    return answer.rows[0]?.value;
  }

  test('PostgreSQL reads texts as they were, whatever is in them', async () => {
    const text = anyText().filter((each) => each.isWellFormed());
    const storable = text.map((each) => each.replaceAll('\0', ''));
    await fc.assert(
      fc.asyncProperty(fc.array(storable), async (texts) => {
        expect(await read('text[]', textArray(texts))).toEqual(texts);
      }),
    );
  });

  test.each([['{}'], ['a,b'], ['"'], ['\\'], ['null'], ['NULL'], [' '], ['']])(
    'the text %j is no part of the syntax',
    async (text) => {
      expect(await read('text[]', textArray([text, text]))).toEqual([text, text]);
    },
  );

  test('PostgreSQL reads keys as the bytes of the hash, alone and in an array', async () => {
    const id = { kind: 'ST', text: 'ST-0abc' } as const;
    const bytes = Buffer.from(hashTicketId(id), 'hex');
    expect(await read('bytea', keyOf(id))).toEqual(bytes);
    expect(await read('bytea[]', keyArray([hashTicketId(id), hashTicketId(id)]))).toEqual([
      bytes,
      bytes,
    ]);
    expect(await read('bytea[]', keyArray([]))).toEqual([]);
  });

  test('PostgreSQL reads truth values', async () => {
    expect(await read('boolean[]', booleanArray([true, false]))).toEqual([true, false]);
  });
});

describe('a row', () => {
  test('is a verdict with its place and the slot to use', () => {
    expect(readGrantRow(['3', 'stale', '2'])).toEqual({ place: 2, verdict: 'stale', slot: '2' });
  });

  test.each([
    ['an ST', null, []],
    ['a PT', '["https://p2/", "https://p1/"]', ['https://p2/', 'https://p1/']],
  ])('is %s as it was', (_, proxies, expected) => {
    const attributes = '{"mail": ["a@example.org"]}';
    const row = ['1', 'ff', 'https://app/', 't', 'alice', attributes, 'static', 'Credential'];
    expect(readConsumedRow([...row, '1795297271123.000', proxies])).toEqual({
      place: 0,
      ticket: {
        grantedBy: 'ff',
        service: 'https://app/',
        fromNewLogin: true,
        authentication: {
          principal: { id: 'alice', attributes: { mail: ['a@example.org'] } },
          handler: 'static',
          credentialType: 'Credential',
          authenticatedAt: new Date(1_795_297_271_123),
        },
        proxies: expected,
      },
    });
  });
});
