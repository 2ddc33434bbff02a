// .ci/run with programs of our own in place of the real ones: what it prints, and how it ends.

import { chmod, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { describe, expect, test } from '@jest/globals';

import { CHECKOUT, type Files, type Outcome, PlantedTree } from './planted-tree.js';

/** How the commands of a run end; `totals` and `clientTotals` are what jest leaves behind, if anything. */
interface Row {
  readonly title: string;
  readonly install?: number;
  readonly test?: number;
  readonly clients?: number;
  readonly check?: number;
  readonly totals?: object;
  readonly clientTotals?: object | undefined;
  readonly last: string;
  readonly status: number;
}

const PASSED = { numPassedTests: 12, numFailedTests: 0, numRuntimeErrorTestSuites: 0 };
const NONE = { ...PASSED, numPassedTests: 0 };

const ROWS: readonly Row[] = [
  {
    title: 'succeeds when all commands do',
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
    title: 'adds the tests with real clients, and fails with one of them',
    totals: PASSED,
    clients: 1,
    clientTotals: { ...PASSED, numFailedTests: 3 },
    last: '24 passed, 3 failed',
    status: 1,
  },
  {
    title: 'succeeds where no client can be installed',
    totals: PASSED,
    clientTotals: NONE,
    last: '12 passed, 0 failed',
    status: 0,
  },
  {
    title: 'fails when the tests with real clients left no totals',
    totals: PASSED,
    clientTotals: undefined,
    last: '12 passed, 0 failed',
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

const DEBIAN_PROGRAMS = [
  'slapd',
  'chromium',
  'prometheus',
  'systemd',
  'nginx-light',
  'haproxy',
  'postgresql-15',
];

describe('continuous integration', () => {
  test.each(ROWS)('$title', async (row) => {
    const outcome = await runWith(row);
    expect(outcome.stdout.trimEnd().split('\n').at(-1)).toBe(row.last);
    expect(outcome.status).toBe(row.status);
    expect(outcome.stdout).toContain('the check ran');
  });
});

/** Each step has the same function, so one program stands for all; slapd also answers a question of its package. */
describe('the step for a program', () => {
  const LEFT_OUT = 'the tests that need it are left out';
  const installed = (program: string): string =>
    `apt-get install -y -qq --no-install-recommends ${program}, noninteractive, run level 1`;

  test.each<[string, Machine, string, readonly string[]]>([
    ['does nothing where it is installed', {}, 'nginx-light is here', []],
    [
      'installs all programs, and starts none',
      { missing: DEBIAN_PROGRAMS },
      'nginx-light installed',
      DEBIAN_PROGRAMS.flatMap((program) => [
        'apt-get update -qq',
        ...(program === 'slapd'
          ? ['debconf-set-selections: slapd slapd/no_configuration boolean true']
          : []),
        installed(program),
      ]),
    ],
    [
      'goes on where it cannot be installed',
      { missing: ['nginx-light'], apt: 100 },
      `nginx-light could not be installed: ${LEFT_OUT}`,
      ['apt-get update -qq', installed('nginx-light')],
    ],
    [
      'touches nothing for who may not',
      { missing: ['nginx-light'], user: 1000 },
      `no nginx-light, and no way to install it: ${LEFT_OUT}`,
      [],
    ],
  ])('%s', async (_what, machine, line, calls) => {
    const { stdout, status, called } = await runWith({ totals: PASSED }, machine);
    expect(stdout.split('\n')).toContain(line);
    expect(called).toEqual(calls);
    expect(status).toBe(0);
  });
});

describe('the step for Vault', () => {
  const BUILDS = { 'test/support/vault-dev/program.ts': "console.log('Vault is built');" };
  const FAILS = { 'test/support/vault-dev/program.ts': 'process.exit(1);' };
  test.each<[string, Machine, string, number]>([
    ['goes on where there is no Go', {}, 'no Go: the tests that need Vault are left out', 0],
    ['builds it before the tests', { go: true, files: BUILDS }, 'Vault is built', 0],
    ['fails where it cannot be built', { go: true, files: FAILS }, 'failed: vault', 1],
  ])('%s', async (_what, machine, line, ends) => {
    const { stdout, status } = await runWith({ totals: PASSED }, machine);
    expect(stdout.split('\n')).toContain(line);
    expect(status).toBe(ends);
  });
});

/** Where a run takes place: which programs are missing, whether Go is there, who runs, and how apt-get install ends. */
interface Machine {
  readonly missing?: readonly string[];
  readonly go?: boolean;
  readonly files?: Files;
  readonly user?: number;
  readonly apt?: number;
}

type Commands = Pick<Row, 'install' | 'test' | 'clients' | 'check' | 'totals' | 'clientTotals'>;

async function runWith(
  commands: Commands,
  { missing = [], go = false, files = {}, user = 0, apt = 0 }: Machine = {},
): Promise<Outcome & { readonly called: readonly string[] }> {
  const programs = {
    npm: npmThatEnds(commands),
    id: `echo ${String(user)}`,
    'debconf-set-selections': 'echo "debconf-set-selections: $(cat)" >>calls',
    'apt-get': aptThatEnds(apt),
    ...Object.fromEntries(
      DEBIAN_PROGRAMS.filter((name) => !missing.includes(name)).map((name) => [`${name}-here`, '']),
    ),
    ...(go && { 'go-here': '' }),
  };
  const tree = await PlantedTree.create({
    '.ci/run': await readFile(join(CHECKOUT, '.ci/run'), 'utf8'),
    'tools/jest-totals.ts': await readFile(join(CHECKOUT, 'tools/jest-totals.ts'), 'utf8'),
    'package.json': '{ "type": "module" }',
    calls: '',
    ...files,
    ...scripts(programs),
  });
  try {
    for (const name of Object.keys(programs)) await chmod(join(tree.root, 'bin', name), 0o755);
    const bin = join(tree.root, 'bin');
    // Variables are named for programs: `NGINX` for nginx-light.
    const names = [...DEBIAN_PROGRAMS, 'go'].map(
      (name) => `${name.replace(/-.*/, '').toUpperCase()}=${name}-here`,
    );
    const command = [...names, 'bash', '.ci/run'];
    const outcome = await tree.execute('env', command, bin, dirname(process.execPath));
    const calls = await readFile(join(tree.root, 'calls'), 'utf8');
    return { ...outcome, called: calls.split('\n').filter((call) => call !== '') };
  } finally {
    await tree.remove();
  }
}

function scripts(programs: Readonly<Record<string, string>>): Files {
  return Object.fromEntries(
    Object.entries(programs).map(([name, body]) => [
      `bin/${name}`,
      `#!/usr/bin/env bash\n${body}\n`,
    ]),
  );
}

/** Notes how it was called, and in which environment it installs. */
function aptThatEnds(status: number): string {
  return [
    'how="$*"',
    '[[ $1 != install ]] || how+=", $DEBIAN_FRONTEND, run level $RUNLEVEL"',
    'echo "apt-get $how" >>calls',
    `[[ $1 != install ]] || exit ${String(status)}`,
  ].join('\n');
}

function npmThatEnds(commands: Commands): string {
  const { install = 0, test: tests = 0, clients = 0, check = 0, totals } = commands;
  const clientTotals = 'clientTotals' in commands ? commands.clientTotals : NONE;
  const leave = (left: object | undefined): string =>
    left === undefined ? ':' : `last="\${@: -1}"; echo '${JSON.stringify(left)}' >"\${last#*=}"`;
  return [
    'case "$1 $2" in',
    `  "ci "*) exit ${String(install)} ;;`,
    `  "test "*) ${leave(totals)}; exit ${String(tests)} ;;`,
    `  "run test:clients") ${leave(clientTotals)}; exit ${String(clients)} ;;`,
    `  "run "*) echo 'the check ran'; exit ${String(check)} ;;`,
    'esac',
  ].join('\n');
}
