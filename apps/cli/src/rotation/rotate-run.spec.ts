import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { FilePlan } from './rotate-plan.js';
import { readFoundFile } from './rotate-read.js';
import { writeFiles } from './rotate-run.js';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'tessera-write-files-'));
});
afterEach(() => rm(directory, { recursive: true }));

/** A plan for a file that holds `content`, made when it held `old`. */
async function planOf(name: string, content: string): Promise<FilePlan> {
  const path = join(directory, name);
  await writeFile(path, 'old');
  const before = await readFoundFile(path);
  await writeFile(path, content);
  return {
    file: { path, realPath: path, kind: 'yaml' },
    changes: [{ line: 1, key: 'a', from: 'old', to: 'new' }],
    failures: [],
    current: 0,
    left: 0,
    before,
    after: Buffer.from('new'),
  };
}

describe('a file that has changed since it was read', () => {
  test.each<[string, boolean, readonly string[]]>([
    ['ends the writing', false, ['new', 'changed', 'old']],
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
      { reason: 'it has changed meanwhile: nothing was written to it' },
    ]);
  });
});
