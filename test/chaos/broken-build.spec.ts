// The patches of the broken builds fit the sources.
import { execFileSync } from 'node:child_process';
import { expect, test } from '@jest/globals';
import { patchFile, patchNames } from './broken-build.js';

test('there is a patch for each broken build', () => {
  expect(patchNames()).toEqual(['logout-before-commit', 'read-then-delete']);
});

test.each(patchNames())('%s can be applied', (name) => {
  execFileSync('git', ['apply', '--check', patchFile(name)], { stdio: 'pipe' });
});
