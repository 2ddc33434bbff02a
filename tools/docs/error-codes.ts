// Checks that the sources and docs/errors.md contain the same error codes. A code is a string literal in UPPER_SNAKE_CASE in
// a file named errors.ts, *-error.ts or *-errors.ts.

import { isTest, type Finding, type Repository } from '../repository.ts';
import { lineOf, nodesOf, parse, textOf } from '../sources/syntax.ts';
import { tableKeysOf } from './markdown.ts';

const PAGE = 'docs/errors.md';
/** Excludes Node's own codes (`ERR_…`, `EAI_…`). */
const CODE = /^(?!ERR_|EAI_)[A-Z][A-Z0-9]*(_[A-Z0-9]+)+$/;
const ERROR_FILE = /(^|\/|-)errors?\.ts$/;

export function* errorCodes(repository: Repository): Generator<Finding> {
  const page = repository.has(PAGE) ? repository.read(PAGE) : '';
  const documented = [...tableKeysOf(page)].filter(({ text }) => CODE.test(text));
  const declared = declarations(repository);
  for (const [code, { path, line }] of declared) {
    if (documented.some(({ text }) => text === code)) continue;
    yield { rule: 'error-code', path, line, message: `${code} is in no table of ${PAGE}` };
  }
  for (const { number, text } of documented) {
    if (declared.has(text)) continue;
    const message = `${text} is declared in no errors file of apps/ and libs/`;
    yield { rule: 'error-code', path: PAGE, line: number, message };
  }
}

/** The first occurrence of each code. */
function declarations(
  repository: Repository,
): ReadonlyMap<string, { readonly path: string; readonly line: number }> {
  const found = new Map<string, { path: string; line: number }>();
  for (const path of repository.sources('apps', 'libs')) {
    if (isTest(path) || !ERROR_FILE.test(path)) continue;
    const file = parse(repository, path);
    for (const node of nodesOf(file)) {
      const text = textOf(node);
      if (text === undefined || !CODE.test(text) || found.has(text)) continue;
      found.set(text, { path, line: lineOf(file, node.getStart()) });
    }
  }
  return found;
}
