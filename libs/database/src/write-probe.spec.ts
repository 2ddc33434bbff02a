import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createEmptyDatabase } from '../../../test/support/database.js';
import { query } from '../../../test/support/query.js';
import { connect } from './connection.js';
import { probeWrite } from './write-probe.js';

// A full disk is tested in test/faults/full-disk.spec.ts.
describe('a write probe', () => {
  let database: { readonly url: string; drop(): Promise<void> };
  beforeEach(async () => {
    database = await createEmptyDatabase();
  });
  afterEach(() => database.drop());

  async function tryWith(setting: string): Promise<unknown> {
    const name = new URL(database.url).pathname.slice(1);
    await query(database.url, `alter database ${name} set ${setting}`);
    const dataSource = await connect({ url: database.url, applicationName: 'test' });
    try {
      return await probeWrite(dataSource);
    } finally {
      await dataSource.destroy();
    }
  }

  test.each([
    ['succeeds on a database that can write', 'work_mem = default', { isReadOnly: false }],
    ['reports read-only transactions', 'default_transaction_read_only = on', { isReadOnly: true }],
    ['ignores a limit of temporary files', 'temp_file_limit = 0', { isReadOnly: false }],
  ])('%s', async (_, setting, outcome) => {
    expect(await tryWith(setting)).toEqual(outcome);
  });
});
