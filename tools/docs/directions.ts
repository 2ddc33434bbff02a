// Checks that the table of decision 0013 lists the libraries with their imports as .dependency-cruiser.mjs does.

import type { Finding, Repository } from '../repository.ts';

const RULES = '.dependency-cruiser.mjs';
const PAGE = 'docs/adr/0013-libraries-and-directions.md';
const DIRECTION = /^ {2}'?([\w-]+)'?: \[(.*)\],$/gm;
const ROW = /^\| `([\w-]+)` +\|[^|]*\| ([^|]*?) *\|$/gm;

export function* directions(repository: Repository): Generator<Finding> {
  if (!repository.has(RULES)) return;
  const [, block = ''] = /const DIRECTIONS = \{\n(.*?)\n\};/s.exec(repository.read(RULES)) ?? [];
  const rules = importsIn(block, DIRECTION);
  const page = importsIn(repository.has(PAGE) ? repository.read(PAGE) : '', ROW);
  for (const library of new Set([...rules.keys(), ...page.keys()])) {
    const expected = rules.get(library);
    if (page.get(library) === expected) continue;
    const message =
      expected === undefined
        ? `${library} is no library of ${RULES}`
        : `${library} may import ${expected || '–'}`;
    yield { rule: 'direction', path: PAGE, line: 0, message };
  }
}

/** The sorted names of what each library may import. */
function importsIn(text: string, pattern: RegExp): ReadonlyMap<string, string> {
  return new Map(
    Array.from(text.matchAll(pattern), ([, library = '', imports = '']) => [
      library,
      (imports.match(/[a-z][\w-]*/g) ?? []).toSorted().join(', '),
    ]),
  );
}
