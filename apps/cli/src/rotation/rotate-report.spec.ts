import { expect, test } from '@jest/globals';
import type { Failure } from './rotate-plan.js';
import { conclude, type FileResult } from './rotate-report.js';

const VALUE: Failure = { line: 1, key: 'a', reason: 'cannot be decrypted' };
const FILE: Failure = { reason: 'is not UTF-8 text' };

const resultOf = (failures: readonly Failure[], isWritten = false): FileResult => ({
  file: { path: 'a.yml', realPath: '/a.yml', kind: 'yaml' },
  changes: [],
  failures,
  current: 0,
  left: 0,
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
])('the end tells what failed: $failed', ({ results, dryRun, expected }) => {
  expect(() => conclude(results, { dryRun })).toThrow(expect.objectContaining(expected));
});

test('the end tells nothing where nothing failed', () => {
  expect(() => conclude([resultOf([], true)], { dryRun: false })).not.toThrow();
});
