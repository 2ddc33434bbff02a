// .ci/run with an npm of our own in place of the real one: what it prints last, and how it ends.

import { chmod, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { describe, expect, test } from '@jest/globals';

import { CHECKOUT, type Outcome, PlantedTree } from './planted-tree.js';

/** How the three commands of a run end; `totals` is what jest leaves behind, if anything. */
interface Row {
  readonly title: string;
  readonly install?: number;
  readonly test?: number;
  readonly check?: number;
  readonly totals?: object;
  readonly last: string;
  readonly status: number;
}

const PASSED = { numPassedTests: 12, numFailedTests: 0, numRuntimeErrorTestSuites: 0 };

const ROWS: readonly Row[] = [
  {
    title: 'succeeds when all three commands do',
    totals: PASSED,
    last: '12 passed, 0 failed',
    status: 0,
  },
  {
    title: 'fails with the check, and still gives the totals',
    totals: PASSED,
    check: 1,
    last: '12 passed, 0 failed',
    status: 1,
  },
  {
    title: 'fails with a test, and runs the check all the same',
    totals: { ...PASSED, numFailedTests: 2 },
    test: 1,
    last: '12 passed, 2 failed',
    status: 1,
  },
  {
    title: 'counts a suite that could not run as failed',
    totals: { ...PASSED, numRuntimeErrorTestSuites: 1 },
    test: 1,
    last: '12 passed, 1 failed',
    status: 1,
  },
  {
    title: 'does not take a run without tests for a success',
    totals: { ...PASSED, numPassedTests: 0 },
    last: '0 passed, 0 failed',
    status: 1,
  },
  {
    title: 'fails when jest left no totals',
    test: 1,
    last: '0 passed, 0 failed',
    status: 1,
  },
  {
    title: 'fails with the installation',
    install: 1,
    totals: PASSED,
    last: '12 passed, 0 failed',
    status: 1,
  },
];

describe('continuous integration', () => {
  test.each(ROWS)('$title', async (row) => {
    const outcome = await runWith(row);
    expect(outcome.stdout.trimEnd().split('\n').at(-1)).toBe(row.last);
    expect(outcome.status).toBe(row.status);
    expect(outcome.stdout).toContain('the check ran');
  });
});

async function runWith(row: Row): Promise<Outcome> {
  const tree = await PlantedTree.create({
    '.ci/run': await readFile(join(CHECKOUT, '.ci/run'), 'utf8'),
    'tools/jest-totals.ts': await readFile(join(CHECKOUT, 'tools/jest-totals.ts'), 'utf8'),
    'package.json': '{ "type": "module" }',
    'bin/npm': npmThatEnds(row),
  });
  try {
    await chmod(join(tree.root, 'bin/npm'), 0o755);
    return await tree.execute(
      'bash',
      ['.ci/run'],
      join(tree.root, 'bin'),
      dirname(process.execPath),
    );
  } finally {
    await tree.remove();
  }
}

function npmThatEnds({ install = 0, test: tests = 0, check = 0, totals }: Row): string {
  const leave = totals === undefined ? ':' : `echo '${JSON.stringify(totals)}' >"\${4#*=}"`;
  return [
    '#!/usr/bin/env bash',
    'case "$1" in',
    `  ci) exit ${String(install)} ;;`,
    `  test) ${leave}; exit ${String(tests)} ;;`,
    `  run) echo 'the check ran'; exit ${String(check)} ;;`,
    'esac',
    '',
  ].join('\n');
}
