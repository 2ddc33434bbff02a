// tools/check-docs.ts on two small trees: one in step, and one with a fault for each row.

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

import { type Files, type Outcome, PlantedTree } from './planted-tree.js';

const IN_STEP: Files = {
  'package.json': JSON.stringify({ scripts: { start: 'x', test: 'x', 'start:sso': 'x' } }),
  'package-lock.json': JSON.stringify({
    packages: { '': {}, 'node_modules/a': { version: '1.0.0', integrity: 'sha512-x' } },
  }),
  'CHANGELOG.md': 'npx is gone',
  'README.md': [
    '# One & two, three',
    '## `code` and [text](docs/errors.md)',
    '## Twice',
    '## Twice',
    '[up](#one--two-three) [code](#code-and-text) [again](#twice-1) [page](docs/errors.md#errors)',
    '[folder](docs/) [outside](https://example.org/none) ![image](docs/picture.svg)',
    'See [the page][page]; `[no](link.md)`.',
    '[page]: docs/configuration.md',
    '```sh',
    '[no](link.md)',
    'npm start',
    'npm run start:sso',
    '```',
    '',
  ].join('\n'),
  'docs/picture.svg': '',
  'docs/README.md': '[c](configuration.md) [e](errors.md#errors)',
  'docs/configuration.md': '# Configuration',
  'docs/errors.md': '# Errors\n| Code | |\n|---|---|\n| `TICKET_GONE` | |\n| `DATABASE_AWAY` | |\n',
  'docs/adr/README.md': '[1](0001-first.md) [13](0013-libraries-and-directions.md)',
  '.dependency-cruiser.mjs': "const DIRECTIONS = {\n  crypto: ['runtime'],\n  runtime: [],\n};\n",
  'docs/adr/0013-libraries-and-directions.md':
    '| `crypto` | ciphers | `runtime` |\n| `runtime` | files | – |\n',
  'docs/adr/0001-first.md': '# First',
  'libs/tickets/src/errors.ts': `type Code = 'TICKET_GONE';
    export const isOurs = (code: string) => code !== 'ERR_STREAM_DESTROYED' && code !== 'EAI_AGAIN';`,
  'libs/database/src/database-error.ts': "export const away = { code: 'DATABASE_AWAY' };",
  'libs/database/src/connection.ts': "export const other = 'NOT_A_CODE';",
};

/** A fault, and what is reported of it. */
interface Row {
  readonly title: string;
  readonly path: string;
  readonly text: string;
  readonly reported: readonly string[];
}

const ROWS: readonly Row[] = [
  {
    title: 'a link to a file that is not there',
    path: 'a.md',
    text: 'text\n[x](docs/none.md), `apps/none.ts`',
    reported: [
      'a.md:2  link: docs/none.md: there is no such file',
      'a.md:2  source: apps/none.ts: there is no such file',
    ],
  },
  {
    title: 'a path from the root of a file system',
    path: 'e.md',
    text: '[x](/README.md)',
    reported: ['e.md:1  link: /README.md: write a path relative to this page'],
  },
  {
    title: 'an anchor without its heading, in this page and in another',
    path: 'f.md',
    text: '[x](#none) [y](README.md#none)',
    reported: [
      'f.md:1  link: #none: there is no such heading',
      'f.md:1  link: README.md#none: there is no such heading',
    ],
  },
  {
    title: 'a page that the index of documents does not name',
    path: 'docs/operations.md',
    text: '# Operations',
    reported: ['docs/README.md  index: has no link to docs/operations.md'],
  },
  {
    title: 'a decision that the index of decisions does not name',
    path: 'docs/adr/0002-second.md',
    text: '# Second',
    reported: ['docs/adr/README.md  index: has no link to docs/adr/0002-second.md'],
  },
  {
    title: 'a library whose imports are not those of the rules',
    path: 'docs/adr/0013-libraries-and-directions.md',
    text: '| `crypto` | ciphers | – |\n| `gone` | nothing | – |\n| `runtime` | files | – |\n',
    reported: [
      'docs/adr/0013-libraries-and-directions.md  direction: crypto may import runtime',
      'docs/adr/0013-libraries-and-directions.md  direction: gone is no library of .dependency-cruiser.mjs',
    ],
  },
  {
    title: 'a code without a row',
    path: 'libs/crypto/src/crypto-error.ts',
    text: "\nexport const code = 'KEY_MISSING';",
    reported: [
      'libs/crypto/src/crypto-error.ts:2  error-code: KEY_MISSING is in no table of docs/errors.md',
    ],
  },
  {
    title: 'a row whose code is written outside the files of errors',
    path: 'docs/errors.md',
    text: `${IN_STEP['docs/errors.md'] ?? ''}| \`NOT_A_CODE\` | |\n`,
    reported: [
      'docs/errors.md:6  error-code: NOT_A_CODE is declared in no errors file of apps/ and libs/',
    ],
  },
  {
    title: 'a script that does not exist, in code too',
    path: 'h.md',
    text: 'Run `npm run -s lint`.\n```\nnpm run build -- --watch\n```',
    reported: [
      'h.md:1  script: package.json has no script «lint»',
      'h.md:3  script: package.json has no script «build»',
    ],
  },
  {
    title: 'npx, which may run a package of a stranger',
    path: 'i.md',
    text: 'text\n```\nnpx tessera user list\n```',
    reported: ['i.md:3  npx: write bin/tessera, or tessera'],
  },
  {
    title: 'a download address and a missing checksum in the lock file',
    path: 'package-lock.json',
    text: JSON.stringify({
      packages: { '': {}, 'node_modules/a': { resolved: 'https://example.org/a.tgz' } },
    }),
    reported: [
      "package-lock.json  lock-file: node_modules/a has a download address: set npm's omit-lockfile-registry-resolved",
      'package-lock.json  lock-file: node_modules/a has no checksum',
    ],
  },
  {
    title: 'a list of missing features that is not that of README.md',
    path: 'SECURITY.md',
    text: '## What is not here\n\n- less\n\n## Next\n\n- more',
    reported: [
      'SECURITY.md  missing-features: the list of "What is not here" is not that of README.md',
    ],
  },
  {
    title: 'a plot that is not drawn from its results',
    path: 'bench/results/soak.json',
    text: JSON.stringify({ tables: [{ columns: ['minute', 'cycles/s'], rows: [[1, 100]] }] }),
    reported: [
      'docs/images/plots/soak-cpu.svg  plot: is not drawn from bench/results: npm run docs:plots',
    ],
  },
];

describe('the check of documents reports', () => {
  let tree: PlantedTree;
  let outcome: Outcome;
  let lines: readonly string[];

  beforeAll(async () => {
    const faults = Object.fromEntries(ROWS.map(({ path, text }) => [path, text]));
    tree = await PlantedTree.create({ ...IN_STEP, ...faults });
    outcome = await tree.run('tools/check-docs.ts');
    lines = outcome.stdout.split('\n').filter((text) => text !== '');
  });
  afterAll(async () => tree.remove());

  test.each(ROWS)('$title', ({ reported }) => {
    expect(lines).toEqual(expect.arrayContaining([...reported]));
  });

  test('nothing else, and ends with 1', () => {
    expect(lines.toSorted()).toEqual(ROWS.flatMap(({ reported }) => reported).toSorted());
    expect(outcome).toMatchObject({ status: 1, stderr: '' });
  });

  test('nothing at all of documents that are in step, and ends with 0', async () => {
    const inStep = await PlantedTree.create(IN_STEP);
    expect(await inStep.run('tools/check-docs.ts')).toEqual({ status: 0, stdout: '', stderr: '' });
    await inStep.remove();
  });
});
