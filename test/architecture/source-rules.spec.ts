// Plants a violation of every rule of tools/check-sources.ts.

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

import { type Outcome, PlantedTree } from './planted-tree.js';

interface Plant {
  readonly path: string;
  readonly text: string;
  /** What is reported of the file, as `line rule`, and a part of one message. */
  readonly reported: readonly string[];
  readonly says?: string;
}

const OPENING = '// What this file owns.\n';
let count = 0;

/** A row whose file opens as it should, so that its second line is the one under test. */
function line(text: string, reported: readonly string[] = [], folder = 'apps/sso/src'): Plant {
  count += 1;
  return { path: `${folder}/row-${String(count)}.ts`, text: `${OPENING}${text}\n`, reported };
}

const SQL = ['2 sql-in-its-place'];
const ENVIRONMENT = ['2 environment-in-settings'];
const ORDER = ['3 import-order'];
const REASON = ['2 suppression-has-reason'];
const NAME = ['0 telling-name'];

const PLANTS: readonly Plant[] = [
  // sql-in-its-place
  line("export const q = 'select id from service_ticket';", SQL),
  line('export const q = `\n  insert into user_account (name)\n  values ($1)`;', SQL),
  line("export const q = 'begin';", SQL),
  line("export const q = 'select id from service_ticket';", SQL, 'libs/tickets/src'),
  line("export const q = 'select id from a';", [], 'libs/database/src/migrations'),
  line("export const q = 'select id from a';", [], 'libs/tickets/src/postgres'),
  line("export const say = 'Select a key of those below.';"),
  {
    path: 'libs/services/src/service-store.ts',
    text: `${OPENING}export const q = 'select id from registered_service';\n`,
    reported: [],
  },
  {
    path: 'libs/tickets/src/reading.spec.ts',
    text: `${OPENING}export const q = 'select id from service_ticket';\n`,
    reported: [],
  },

  // environment-in-settings
  line('export const a = process.env;', ENVIRONMENT),
  line('export const { env } = process;', ENVIRONMENT),
  line("export { a };\nimport { env as a } from 'node:process';", ['3 environment-in-settings']),
  line('export const a = process.env;', [], 'libs/config/src'),
  line('export const a = process.env;', [], 'apps/demo/src'),
  line('export const a = process.pid; // process.env is not read here'),
  line("export const a = 'process.env';"),

  // import-order
  line("import { a } from 'pg';\nimport { b } from 'node:fs';", ORDER),
  line("import { a } from '@tessera/crypto';\nimport { b } from 'pg';", ORDER),
  line(
    "import { a } from 'node:fs';\nimport { b } from '@tessera/b';\nimport { c } from './c.js';",
  ),
  line("import './first.js';\nimport { b } from 'node:fs';"),

  // suppression-has-reason
  line('// oxlint-disable-next-line no-console\nexport const a = 1;', REASON),
  line('// @ts-expect-error\nexport const a: string = 1;', REASON),
  line('// oxlint-disable-next-line no-console -- because\nexport const a = 1;', REASON),
  line('// oxlint-disable-next-line no-console -- the prompt is the output\nexport const a = 1;'),
  line('// @ts-expect-error -- the declared type lacks what the server sends\nexport const a = 1;'),
  line("export const a = '// @ts-expect-error';"),

  // telling-name
  { path: 'apps/sso/src/utils/dates.ts', text: OPENING, reported: NAME, says: '«utils»' },
  { path: 'libs/crypto/src/common.ts', text: OPENING, reported: NAME, says: '«common.ts»' },
  { path: 'libs/crypto/src/ticket-types.ts', text: OPENING, reported: [] },

  // file-length
  {
    path: 'libs/crypto/src/long.ts',
    text: OPENING + '\n'.repeat(300),
    reported: ['301 file-length'],
    says: '301 lines',
  },
  { path: 'libs/crypto/src/full.ts', text: OPENING + '\n'.repeat(299), reported: [] },
];

describe('what only the text of a source shows', () => {
  let tree: PlantedTree;
  let outcome: Outcome;

  beforeAll(async () => {
    tree = await PlantedTree.create(
      Object.fromEntries(PLANTS.map(({ path, text }) => [path, text])),
    );
    outcome = await tree.run('tools/check-sources.ts');
  });
  afterAll(async () => tree.remove());

  test.each(PLANTS)('$path $text → $reported', ({ path, reported, says }) => {
    const lines = linesAbout(path, outcome.stdout);
    expect(lines.map((each) => each.replace(/:.*$/, ''))).toEqual(reported);
    if (says !== undefined) expect(lines.join('\n')).toContain(says);
  });

  test('ends with 1 when something was found', () => {
    expect(outcome).toMatchObject({ status: 1, stderr: '' });
  });

  test('ends with 0 and prints nothing when all is in order', async () => {
    const clean = await PlantedTree.create({ 'libs/crypto/src/index.ts': OPENING });
    expect(await clean.run('tools/check-sources.ts')).toEqual({
      status: 0,
      stdout: '',
      stderr: '',
    });
    await clean.remove();
  });
});

/** `line rule: message` for each finding of one file; line 0 where the file as a whole is meant. */
function linesAbout(path: string, output: string): readonly string[] {
  return output.split('\n').flatMap((text) => {
    const [place, finding] = text.split('  ');
    if (place === undefined || finding === undefined) return [];
    const [file, number = '0'] = place.split(':');
    return file === path ? [`${number} ${finding}`] : [];
  });
}
