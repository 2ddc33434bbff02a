import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { readSettingsFile } from './rotate-files.js';
import type { Failure, FilePlan } from './rotate-plan.js';
import { throwFailures, writeFiles, type FileResult } from './rotate-run.js';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'tessera-write-files-'));
});
afterEach(() => rm(directory, { recursive: true }));

/** A plan from when the file contained `old`; now it contains `content`. */
async function planOf(name: string, content: string): Promise<FilePlan> {
  const path = join(directory, name);
  await writeFile(path, 'old');
  const before = await readSettingsFile(path);
  await writeFile(path, content);
  return {
    file: { path, realPath: path, kind: 'yaml' },
    changes: [{ line: 1, key: 'a', from: 'old', to: 'new' }],
    failures: [],
    current: 0,
    skipped: 0,
    before,
    after: Buffer.from('new'),
  };
}

describe('a file that has changed since it was read', () => {
  test.each<[string, boolean, readonly string[]]>([
    ['stops the writing', false, ['new', 'changed', 'old']],
    ['is left alone with --keep-going', true, ['new', 'changed', 'new']],
  ])('%s', async (_what, keepGoing, expected) => {
    const plans = [
      await planOf('a', 'old'),
      await planOf('b', 'changed'),
      await planOf('c', 'old'),
    ];
    const results = await writeFiles(plans, keepGoing);
    const contents = plans.map(({ file }) => readFile(file.realPath, 'utf8'));
    expect(await Promise.all(contents)).toEqual(expected);
    expect(results.map(({ isWritten }) => isWritten)).toEqual(
      expected.map((each) => each === 'new'),
    );
    expect(results.flatMap(({ failures }) => failures)).toEqual([
      { reason: 'it has changed since it was read: nothing was written to it' },
    ]);
  });
});

const VALUE: Failure = { line: 1, key: 'a', reason: 'cannot be decrypted' };
const FILE: Failure = { reason: 'is not UTF-8 text' };

const resultOf = (failures: readonly Failure[], isWritten = false): FileResult => ({
  file: { path: 'a.yml', realPath: '/a.yml', kind: 'yaml' },
  changes: [],
  failures,
  current: 0,
  skipped: 0,
  before: undefined,
  after: Buffer.alloc(0),
  isWritten,
});

test.each([
  {
    failed: 'a value',
    results: [resultOf([VALUE])],
    dryRun: false,
    expected: { message: 'nothing was written: 1 value cannot be decrypted', exitCode: 3 },
  },
  {
    failed: 'files, in a dry run',
    results: [resultOf([FILE]), resultOf([FILE])],
    dryRun: true,
    expected: { message: '2 files cannot be rotated', exitCode: 1 },
  },
  {
    failed: 'values and a file, while another was written',
    results: [resultOf([VALUE, VALUE]), resultOf([FILE]), resultOf([], true)],
    dryRun: false,
    expected: {
      message: '2 values cannot be decrypted, 1 file cannot be rotated',
      exitCode: 3,
    },
  },
])('the error at the end names what failed: $failed', ({ results, dryRun, expected }) => {
  expect(() => throwFailures(results, { dryRun })).toThrow(expect.objectContaining(expected));
});

test('there is no error where nothing failed', () => {
  expect(() => throwFailures([resultOf([], true)], { dryRun: false })).not.toThrow();
});
