// The tables of docs/migration.md and docs/config-migration.md between `<!-- table … -->` and `<!-- /table -->`: their rows
// come from the table in the code. `npm run docs:settings` writes them.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { MIGRATION_ROWS, type MigrationRow } from '@tessera/config';

const DOCS = join(import.meta.dirname, '../docs');
const TABLE = /(<!-- table ([\w-]+) -->\n)[^]*?(\n<!-- \/table -->)/g;

type Cells = readonly string[];

const isOfConfigServer = ({ there }: MigrationRow): boolean =>
  there.startsWith('spring.cloud.config.server');

const TABLES: Readonly<Record<string, () => readonly Cells[]>> = {
  'apereo-keys': () => [['Apereo CAS', 'Here'], ...keyRows('config-server.')],
  'spring-keys': () => [['Spring Cloud Config', 'Here'], ...keyRows('sso.')],
  'apereo-left': () => [
    ['Setting', 'Without it'],
    ...leftRows((row) => !row.isMissing && !isOfConfigServer(row)),
  ],
  'apereo-missing': () => [
    ['Setting', 'Not here yet'],
    ...leftRows((row) => row.isMissing === true),
  ],
  'spring-left': () => [['Setting', 'Without it'], ...leftRows(isOfConfigServer)],
};

test.each(['migration.md', 'config-migration.md'])(
  'the tables of %s are those of the code',
  async (name) => {
    const page = await readFile(join(DOCS, name), 'utf8');
    const expected = page.replaceAll(TABLE, (_, start: string, table: string, end: string) => {
      const rows = TABLES[table]?.() ?? [];
      return `${start}\n${rows.map(lineOf).toSpliced(1, 0, '| --- | --- |').join('\n')}\n${end}`;
    });
    if (process.env['UPDATE_SETTINGS'] === '1') await writeFile(join(DOCS, name), expected);
    else expect(withoutPadding(page)).toEqual(withoutPadding(expected));
    expect([...page.matchAll(TABLE)].map(([, , table]) => table)).not.toEqual([]);
  },
);

/** Rows with a replacement, without those that only the other application has. */
function keyRows(other: string): readonly Cells[] {
  return MIGRATION_ROWS.flatMap(({ there, here }) => {
    const keys = here.filter((key) => key.includes('.') && !key.startsWith(other));
    return keys.length === 0 ? [] : [[code(there), inWords(keys)]];
  });
}

/** One line for all settings with the same consequence. */
function leftRows(isWanted: (row: MigrationRow) => boolean): readonly Cells[] {
  const rows = MIGRATION_ROWS.filter((row) => row.consequence !== undefined && isWanted(row));
  return [...Map.groupBy(rows, ({ consequence = '' }) => consequence)].map(
    ([consequence, settings]) => [settings.map(({ there }) => code(there)).join(', '), consequence],
  );
}

function inWords(keys: readonly string[]): string {
  const [first = '', ...others] = keys.map((key) => {
    const [name = '', ...note] = key.split(',');
    return [code(name), ...note].join(',');
  });
  return [first, ...others].join(' or ');
}

function lineOf(cells: Cells): string {
  return `| ${cells.join(' | ')} |`;
}

function code(text: string): string {
  return `\`${text}\``;
}

function withoutPadding(page: string): string {
  return page.replaceAll(/ {2,}\|/g, ' |').replaceAll(/-{3,}/g, '---');
}
