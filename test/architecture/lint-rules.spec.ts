// Plants one violation for each lint rule the project leans on, so that a plugin switched off or
// a rule renamed in a new version of the linter is found out. The rest of the rules are its own.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

import { CHECKOUT, PlantedTree } from './planted-tree.js';

type Plant = readonly [path: string, text: string, ...rules: readonly string[]];

const ASYNC = 'const work = async (): Promise<void> => Promise.resolve();\n';
const LONG = 'count += 1;\n'.repeat(41);

const PLANTS: readonly Plant[] = [
  ['apps/sso/src/a1.ts', `${ASYNC}work();`, 'typescript(no-floating-promises)'],
  [
    'apps/sso/src/a2.ts',
    `${ASYNC}[1].forEach(async () => work());`,
    'typescript(no-misused-promises)',
  ],
  [
    'apps/sso/src/a3.ts',
    'export const one = await 1;',
    'typescript(await-thenable)',
    'unicorn(no-unnecessary-await)',
  ],
  ['apps/sso/src/a4.ts', 'export const one: any = 1;', 'typescript(no-explicit-any)'],
  ['apps/sso/src/a5.ts', "export const one = JSON.parse('1');", 'typescript(no-unsafe-assignment)'],
  [
    'apps/sso/src/a6.ts',
    "export const one = (): number => JSON.parse('1');",
    'typescript(no-unsafe-return)',
  ],
  ['apps/sso/src/a7.ts', "JSON.parse('1')();", 'typescript(no-unsafe-call)'],
  [
    'apps/sso/src/a8.ts',
    "export const one: unknown = JSON.parse('1').one;",
    'typescript(no-unsafe-member-access)',
  ],
  [
    'apps/sso/src/a9.ts',
    "export const one = String.raw(JSON.parse('1'));",
    'typescript(no-unsafe-argument)',
  ],
  [
    'apps/sso/src/b1.ts',
    [
      "export function first(code: 'A' | 'B'): number {",
      "  switch (code) { case 'A': return 1; }",
      '  return 2;',
      '}',
    ].join('\n'),
    'typescript(switch-exhaustiveness-check)',
  ],
  ['apps/sso/src/b2.ts', 'export default 1;', 'import(no-default-export)'],
  ['apps/sso/src/b3.ts', "console.log('x');", 'eslint(no-console)'],
  ['apps/cli/src/b4.ts', "console.log('x');"],
  ['apps/sso/src/b5.ts', 'process.exit(1);', 'unicorn(no-process-exit)'],
  [
    'apps/sso/src/b6.ts',
    `export function long(): number {\nlet count = 0;\n${LONG}return count;\n}`,
    'eslint(max-lines-per-function)',
  ],
  [
    'apps/sso/src/b7.spec.ts',
    `export function long(): number {\nlet count = 0;\n${LONG}return count;\n}`,
  ],
  [
    'apps/sso/src/b8.ts',
    'export const five = (a: 1, b: 1, c: 1, d: 1, e: 1): number => a + b + c + d + e;',
    'eslint(max-params)',
  ],
  [
    'apps/sso/src/b9.ts',
    '// @ts-ignore -- no\nexport const one: string = 1;',
    'typescript(ban-ts-comment)',
  ],
  [
    'apps/sso/src/c1.ts',
    '// oxlint-disable-next-line no-console -- nothing here prints\nexport const one = 1;',
    'unused directive',
  ],
  ['apps/sso/src/c2.ts', 'export const one = [1][0]!;', 'typescript(no-non-null-assertion)'],
  [
    'apps/sso/src/c3.spec.ts',
    "import { test } from '@jest/globals';\n\ntest.only('x', () => {});",
    'jest(no-focused-tests)',
  ],
  [
    'apps/sso/src/c4.spec.ts',
    "import { test } from '@jest/globals';\n\ntest.skip('x', () => {});",
    'jest(no-disabled-tests)',
  ],
  [
    'apps/sso/src/c5.ts',
    "import { Global } from '@nestjs/common';\n\nexport const g = Global;",
    'eslint(no-restricted-imports)',
  ],
];

describe('the linter reports', () => {
  let tree: PlantedTree;
  let reported: ReadonlyMap<string, readonly string[]>;

  beforeAll(async () => {
    tree = await PlantedTree.create({
      ...Object.fromEntries(PLANTS.map(([path, text]) => [path, `${text}\n`])),
      '.oxlintrc.json': await readFile(join(CHECKOUT, '.oxlintrc.json'), 'utf8'),
      'tsconfig.json': await readFile(join(CHECKOUT, 'tsconfig.json'), 'utf8'),
      'package.json': '{ "type": "module" }',
    });
    await tree.borrowPackages();
    reported = await lint(tree);
  });
  afterAll(async () => tree.remove());

  test.each(PLANTS.map(([path, text, ...rules]) => ({ path, text, rules })))(
    '$rules of $path',
    ({ path, rules }) => {
      expect(reported.get(path) ?? []).toEqual(rules.toSorted());
    },
  );
});

/** Names of the rules broken, sorted, by the file that breaks them. */
async function lint(tree: PlantedTree): Promise<ReadonlyMap<string, readonly string[]>> {
  const outcome = await tree.run('node_modules/oxlint/bin/oxlint', '--format', 'json', 'apps');
  expect(outcome).toMatchObject({ status: 1, stderr: '' });
  const { diagnostics } = JSON.parse(outcome.stdout) as {
    diagnostics: readonly { filename: string; code?: string; message: string }[];
  };
  const found = new Map<string, Set<string>>();
  for (const { filename, code, message } of diagnostics) {
    const rule = code ?? (message.includes('disable directive') ? 'unused directive' : message);
    found.set(filename, (found.get(filename) ?? new Set()).add(rule));
  }
  return new Map([...found].map(([path, rules]) => [path, [...rules].toSorted()]));
}
