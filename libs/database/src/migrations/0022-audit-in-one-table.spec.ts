import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { createEmptyDatabase } from '../../../../test/support/database.js';
import { connect } from '../connection.js';
import { migrate } from '../migrate.js';
import { AuditInOneTable } from './0022-audit-in-one-table.js';
import { migrations } from './index.js';

let database: Awaited<ReturnType<typeof createEmptyDatabase>>;
let dataSource: DataSource | undefined;

const migrateTo = async (known: typeof migrations): Promise<DataSource> => {
  if (dataSource?.isInitialized) await dataSource.destroy();
  dataSource = await connect({ url: database.url, applicationName: 'spec', migrations: known });
  await migrate(dataSource);
  return dataSource;
};

beforeEach(async () => {
  database = await createEmptyDatabase();
});
afterEach(async () => {
  await dataSource?.destroy();
  await database.drop();
});

test('keeps the events of batches and those of the table', async () => {
  const former = await migrateTo(migrations.slice(0, migrations.indexOf(AuditInOneTable)));
  const columns =
    'occurred_at, action, outcome, principal, service, session, application, node, details';
  await former.query(`
    select ensure_audit_partition('2026-01-01');
    insert into audit_event (occurred_at, action, principal, application, node)
    values ('2026-01-01 09:00:00Z', 'REGISTER_SERVICE', 'root', 'sso', 'n1');
    insert into audit_batch (id, second, application, node, events) values (100000000000000000, '2026-01-01 10:00:00Z', 'sso', 'n1',
      '[[7,"LOGIN","success",null,"ann",null,null,"TGT-a91f",null,null,null],
        [8,"GRANT_TICKET","failure","INVALID_SERVICE","ann",null,"https://a/",null,null,null,{"n":1}]]')`);
  const events = await former.query(`select id, ${columns} from audit_trail order by occurred_at`);
  expect(events).toHaveLength(3);
  const current = await migrateTo(migrations);
  expect(
    await current.query(`select id, ${columns} from audit_event order by occurred_at`),
  ).toEqual(events);
});
