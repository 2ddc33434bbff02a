import { expect, test } from '@jest/globals';
import { summaryOf } from './statement-spans.js';

test.each([
  ['the name of a prepared statement', 'find-sessions', 'select 1', 'find-sessions'],
  ['a name without the table of the ring', 'consume-and-record-3', 'with x', 'consume-and-record'],
  ['the verb of a statement without a table', undefined, 'START TRANSACTION', 'start'],
  ['nothing of a text without a verb', undefined, '((?))', 'statement'],
  [
    'the table of a statement by TypeORM',
    undefined,
    'SELECT "UserAccount"."name" AS "UserAccount_name" FROM "user_account" "UserAccount" WHERE ((1=1))',
    'select user_account',
  ],
  [
    'the table of an insertion',
    undefined,
    'insert into audit_event (a) values ($1)',
    'insert audit_event',
  ],
  [
    'the table of an update',
    undefined,
    'UPDATE "user_account" SET "a" = $1',
    'update user_account',
  ],
  ['the table behind a schema', undefined, 'delete from only public.a_b where x', 'delete a_b'],
  [
    'no value of a statement that has one',
    undefined,
    `select pg_notify('channel', 'Mellon')`,
    'select',
  ],
])('a summary has %s', (_, name, text, summary) => {
  expect(summaryOf({ name, text })).toBe(summary);
});
