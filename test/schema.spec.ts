// Holds libs/database/schema.sql and the migrations together. After a new migration:
// `UPDATE_SCHEMA=1 npm test -- test/schema.spec.ts`, and the difference shows in the review.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { poolOf } from '@tessera/database';
import { createTestDatabase } from './support/database.js';
import { dumpSchema } from './support/schema-dump.js';

const SCHEMA = join(import.meta.dirname, '../libs/database/schema.sql');
const HEADER = `-- What the migrations make, for reading; written by test/schema.spec.ts, which also compares it.\n\n`;

test('schema.sql is what the migrations make', async () => {
  const database = await createTestDatabase();
  try {
    const dump = HEADER + (await dumpSchema(poolOf(database.dataSource)));
    if (process.env['UPDATE_SCHEMA'] === '1') await writeFile(SCHEMA, dump);
    expect(await readFile(SCHEMA, 'utf8')).toBe(dump);
  } finally {
    await database.drop();
  }
});
