// Checks that the pages with a list of missing features have the same one.

import type { Finding, Repository } from '../repository.ts';

const HEADING = 'What is not here';
const [FIRST, ...OTHERS] = ['README.md', 'SECURITY.md', 'docs/migration.md'] as const;

export function* missingFeatures(repository: Repository): Generator<Finding> {
  const expected = listIn(repository, FIRST);
  for (const path of OTHERS) {
    if (listIn(repository, path) === expected) continue;
    const message = `the list of "${HEADING}" is not that of ${FIRST}`;
    yield { rule: 'missing-features', path, line: 0, message };
  }
}

/** The items below the heading. */
function listIn(repository: Repository, path: string): string {
  const page = repository.has(path) ? repository.read(path) : '';
  const [, section = ''] = page.split(`# ${HEADING}\n`);
  const [below = ''] = section.split(/^#/m);
  return below
    .split('\n')
    .filter((line) => line.startsWith('- '))
    .join('\n');
}
