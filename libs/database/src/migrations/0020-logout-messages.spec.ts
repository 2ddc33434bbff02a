import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { createEmptyDatabase } from '../../../../test/support/database.js';
import { connect } from '../connection.js';
import { migrate } from '../migrate.js';
import { migrations } from './index.js';
import { LogoutMessages } from './0020-logout-messages.js';

let database: Awaited<ReturnType<typeof createEmptyDatabase>>;
let dataSource: DataSource | undefined;

const DUE = new Date('2026-01-01T00:00:05Z');

const before = migrations.slice(0, migrations.indexOf(LogoutMessages));
const migrateTo = async (known: typeof migrations): Promise<void> => {
  if (dataSource?.isInitialized) await dataSource.destroy();
  dataSource = await connect({ url: database.url, applicationName: 'spec', migrations: known });
  await migrate(dataSource);
};
const query = async (text: string): Promise<readonly object[]> =>
  (await dataSource?.query<readonly object[]>(text)) ?? [];

beforeEach(async () => {
  database = await createEmptyDatabase();
  await migrateTo(before);
  // Of the tables that pg-boss made, the columns that matter.
  await query(`
    create schema pgboss;
    create table pgboss.queue (name text);
    insert into pgboss.queue values ('logout-messages'), ('logout-deliveries'), ('logout-messages-failed');
    create table pgboss.job (name text, data jsonb, state text, retry_count integer not null default 0, group_id text,
      start_after timestamptz not null default '2026-01-01 00:00:05Z', created_on timestamptz not null default '2026-01-03',
      output jsonb, source_retry_count integer, source_output jsonb);
    insert into pgboss.job (name, data, state, retry_count, group_id, output, source_retry_count, source_output)
    select name, data || '{"principal":"ann","service":"https://a/","ticket":"ST-1","endedAt":"2026-01-01T00:00:00.5+00:00"}',
      state, coalesce(retries, 0), host, output, source_retries, source_output
    from (values
      ('logout-messages', '{"id":"LR-new"}'::jsonb, 'created', null, null, null::jsonb, null::integer, null::jsonb),
      ('logout-messages', '{"id":"LR-done"}', 'completed', null, null, null, null, null),
      ('logout-messages', '{"id":"LR-half"}', 'active', null, null, null, null, null),
      ('logout-deliveries', '{"id":"LR-half","urlIndex":0}', 'created', null, '7 a', null, null, null),
      ('logout-deliveries', '{"id":"LR-half-2","urlIndex":1}', 'retry', 2, '7 b', '{"reason":"busy"}', null, null),
      ('logout-deliveries', '{"id":"LR-bad","urlIndex":0}', 'failed', 12, '7 a', null, null, null),
      ('logout-messages-failed', '{"id":"LR-bad","urlIndex":0}', 'created', 0, '7 a', null, 12, '{"reason":"gone"}')
    ) as given (name, data, state, retries, host, output, source_retries, source_output)`);
});
afterEach(async () => {
  await dataSource?.destroy();
  await database.drop();
});

test('moves the messages of the former queue, and drops its schema', async () => {
  await migrateTo(migrations);
  expect(
    await query(`select id, url_index, host_group, attempts, next_attempt_at as next, failed_at as failed, last_error as error
      from logout_message order by id`),
  ).toEqual(
    [
      ['LR-bad', 0, '7 a', 13, null, new Date('2026-01-03'), 'gone'],
      ['LR-half', 0, '7 a', 0, DUE, null, null],
      ['LR-half-2', 1, '7 b', 3, DUE, null, 'busy'],
      ['LR-new', null, null, 0, DUE, null, null],
    ].map(([id, url_index, host_group, attempts, next, failed, error]) => ({
      id,
      url_index,
      host_group,
      attempts,
      next,
      failed,
      error,
    })),
  );
  expect(
    await query(`select distinct principal, service, ticket, ended_at, taken from logout_message`),
  ).toEqual([
    {
      principal: 'ann',
      service: 'https://a/',
      ticket: 'ST-1',
      ended_at: new Date('2026-01-01T00:00:00.5Z'),
      taken: false,
    },
  ]);
  expect(await query("select from pg_namespace where nspname = 'pgboss'")).toEqual([]);
});

test('leaves the queues of another program alone', async () => {
  await query(`insert into pgboss.queue values ('mail');
    insert into pgboss.job (name, state) values ('mail', 'created')`);
  await migrateTo(migrations);
  expect(await query('select name from pgboss.job')).toEqual([{ name: 'mail' }]);
  expect(await query('select from logout_message')).toHaveLength(4);
});
