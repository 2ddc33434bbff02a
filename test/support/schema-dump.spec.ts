import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { createEmptyDatabase } from './database.js';
import { dumpSchema } from './schema-dump.js';

let database: Awaited<ReturnType<typeof createEmptyDatabase>>;
let pool: pg.Pool;

beforeEach(async () => {
  database = await createEmptyDatabase();
  pool = new pg.Pool({ connectionString: database.url });
  pool.on('error', () => {});
});

afterEach(async () => {
  await pool.end();
  await database.drop();
});

describe('the schema dump', () => {
  test.each([
    ['an unlogged table', 'create unlogged table t (a int)', 'create unlogged table t (\n'],
    ['storage options', 'create table t (a int) with (fillfactor=70)', ') with (fillfactor=70);'],
    [
      'options of the TOAST table',
      'create table t (a text) with (toast.autovacuum_enabled=false)',
      ') with (toast.autovacuum_enabled=false);',
    ],
    [
      'a type and its precision',
      'create table t (a timestamptz(3))',
      '  a timestamp(3) with time zone\n',
    ],
    ['a collation', 'create table t (a text collate "C")', '  a text collate "C"\n'],
    ['NOT NULL', 'create table t (a int not null)', '  a integer not null\n'],
    ['a default', `create table t (a text default 'x')`, `  a text default 'x'::text\n`],
    [
      'an identity',
      'create table t (a int generated always as identity)',
      '  a integer not null generated always as identity\n',
    ],
    [
      'a generated column',
      'create table t (a int, b int generated always as (a + 1) stored)',
      '  b integer generated always as ((a + 1)) stored\n',
    ],
    [
      'a constraint',
      'create table t (a int constraint positive check (a > 0))',
      '  constraint positive CHECK ((a > 0))\n',
    ],
    [
      'a primary key and no index for it',
      'create table t (a int primary key)',
      '  constraint t_pkey PRIMARY KEY (a)\n);\n',
    ],
    [
      'a foreign key and what it does on delete',
      'create table t (a int primary key, b int references t on delete cascade)',
      '  constraint t_b_fkey FOREIGN KEY (b) REFERENCES t(a) ON DELETE CASCADE\n',
    ],
    [
      'an index and its condition',
      'create table t (a int); create index i on t (a) where a > 0',
      'CREATE INDEX i ON public.t USING btree (a) WHERE (a > 0);\n',
    ],
    [
      'a comment on a table',
      `create table t (a int); comment on table t is 'of it''s own'`,
      `comment on table t is 'of it''s own';\n`,
    ],
    [
      'a comment on a column',
      `create table t (a int); comment on column t.a is 'of its own'`,
      `comment on column t.a is 'of its own';\n`,
    ],
    [
      'a sequence',
      'create sequence s increment 7',
      'create sequence s as bigint start 1 increment 7;\n',
    ],
    [
      'an enumeration in its order',
      `create type e as enum ('b', 'a')`,
      `create type e as enum ('b', 'a');\n`,
    ],
    ['a view', 'create view v as select 1 as one', 'create view v as\n SELECT 1 AS one;\n'],
    [
      'a function',
      `create function f() returns int language sql as 'select 1'`,
      'AS $function$select 1$function$;\n',
    ],
    [
      'a trigger',
      `create table t (a int);
       create function f() returns trigger language plpgsql as 'begin return new; end';
       create trigger g before insert on t for each row execute function f()`,
      'CREATE TRIGGER g BEFORE INSERT ON public.t FOR EACH ROW EXECUTE FUNCTION f();\n',
    ],
    [
      'how a table is partitioned',
      'create table t (a int) partition by list (a)',
      ') partition by LIST (a);\n',
    ],
  ])('shows %s', async (_rule, statements, expected) => {
    await pool.query(statements);
    expect(await dumpSchema(pool)).toContain(expected);
  });

  test('lists tables by name, whatever the order they were made in', async () => {
    await pool.query('create table b (n int); create table a (n int)');
    expect(await dumpSchema(pool)).toBe(
      'create table a (\n  n integer\n);\n\ncreate table b (\n  n integer\n);\n',
    );
  });
});
