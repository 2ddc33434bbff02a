import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.js';
import { DatabaseRole } from '../../../test/support/database-role.js';
import { query } from '../../../test/support/query.js';
import { connect } from './connection.js';
import { requireTableRights, requireUnloggedTickets, type TableRights } from './table-rights.js';
import { TABLES } from './migrations/index.js';

const OWN: TableRights = { right: 'own', tables: TABLES };
const READ: TableRights = { right: 'read', tables: ['properties'] };
const MAY_NOT_USE =
  'The database user may not use the tables: it must own them, or be a member of the role that does.';

let database: TestDatabase;
let role: DatabaseRole;

const sql = (statement: string) => query(database.url, statement);
const probe = async (rights: TableRights): Promise<unknown> => {
  const dataSource = await connect({ url: role.url(), applicationName: 'test', poolSize: 1 });
  try {
    await requireTableRights(dataSource, rights);
    return 'fit';
  } catch (error) {
    return (error as Error).message;
  } finally {
    await dataSource.destroy();
  }
};

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  role = await DatabaseRole.create(database.url);
  await sql(`alter role ${role.name} nosuperuser`);
});
afterEach(async () => {
  await sql(`reassign owned by ${role.name} to postgres; drop owned by ${role.name}`);
  await role.drop();
});

test('the tables are those that the migrations make', async () => {
  const rows = await sql(
    `select relname as name from pg_class where relkind in ('r', 'p')
     and relnamespace = 'public'::regnamespace and not relispartition order by relname`,
  );
  expect(rows).toEqual(TABLES.map((name) => ({ name })));
});

test('logged tables of service tickets are found in a schema of any name', async () => {
  await sql(`create schema "Of-1"; create table "Of-1".service_ticket_0 ()`);
  const url = `${database.url}&options=-c%20search_path%3D%22Of-1%22`;
  const dataSource = await connect({ url, applicationName: 'test', poolSize: 1 });
  try {
    await expect(requireUnloggedTickets(dataSource)).rejects.toThrow('service_ticket_0');
  } finally {
    await dataSource.destroy();
    await sql('drop schema "Of-1" cascade');
  }
});

const own = async (): Promise<void> => {
  for (const table of TABLES) await sql(`alter table ${table} owner to ${role.name}`);
};
const set = (setting: string) => () => sql(`alter role ${role.name} set ${setting}`);

describe('a role that is to own the tables', () => {
  test.each<[string, () => Promise<unknown>, string]>([
    ['has no right', () => Promise.resolve(), MAY_NOT_USE],
    [
      'may do everything with rows',
      () => sql(`grant all on all tables in schema public to ${role.name}`),
      MAY_NOT_USE,
    ],
    [
      'owns all but one',
      async () => {
        await own();
        await sql('alter table audit_event owner to postgres');
      },
      MAY_NOT_USE,
    ],
    [
      'has read-only transactions',
      async () => {
        await own();
        await set('default_transaction_read_only = on')();
      },
      'The database user may only read: its transactions are read-only.',
    ],
    ['owns them', own, 'fit'],
    [
      'is a member of the role that owns them, whatever limits it has of its own',
      async () => {
        await sql(`grant postgres to ${role.name}`);
        await set('statement_timeout = 1')();
      },
      'fit',
    ],
  ])('and %s', async (_what, prepare, outcome) => {
    await prepare();
    expect(await probe(OWN)).toBe(outcome);
  });
});

describe('a role that is to read a table', () => {
  test.each<[string, () => Promise<unknown>, string]>([
    ['has no right', () => Promise.resolve(), 'The database user may not read the tables.'],
    ['may', () => sql(`grant select on properties to ${role.name}`), 'fit'],
  ])('and %s', async (_what, prepare, outcome) => {
    await prepare();
    expect(await probe(READ)).toBe(outcome);
  });
});

describe('the tables of service tickets', () => {
  test('are unlogged', async () => {
    await expect(requireUnloggedTickets(database.dataSource)).resolves.toBeUndefined();
  });

  test('are refused by name where they are durable', async () => {
    await sql('alter table service_ticket_1 set logged');
    const refused = requireUnloggedTickets(database.dataSource);
    await expect(refused).rejects.toMatchObject({
      code: 'DATABASE_REFUSED',
      message: expect.stringMatching(/^The tables service_ticket_1 are not unlogged, /),
    });
    await sql('alter table service_ticket_1 set unlogged');
  });
});
