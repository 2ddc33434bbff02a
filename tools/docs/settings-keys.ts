// Checks that @Setting('key', …) in the sources and the tables of docs/configuration.md contain the same keys.

import ts from 'typescript';

import { isTest, type Finding, type Repository } from '../repository.ts';
import { lineOf, nodesOf, parse } from '../sources/syntax.ts';
import { tableKeysOf } from './markdown.ts';

const PAGE = 'docs/configuration.md';
/** `logging.level.<logger>` is a key of the map declared as `logging.level`. */
const KEY = /^[a-z][a-z0-9-]*(\.[a-z0-9-]+)+(\.<[a-z-]+>)?$/;

export function* settingsKeys(repository: Repository): Generator<Finding> {
  const page = repository.has(PAGE) ? repository.read(PAGE) : '';
  const documented = [...tableKeysOf(page)]
    .filter(({ text }) => KEY.test(text))
    .map(({ number, text }) => ({ number, text: text.replace(/\.<[a-z-]+>$/, '') }));
  const declared = [...declarations(repository)];
  for (const { key, path, line } of declared) {
    if (key === undefined) {
      const message = 'write the key itself, so that it can be compared with the documents';
      yield { rule: 'settings-key', path, line, message };
      continue;
    }
    if (documented.some(({ text }) => text === key)) continue;
    yield { rule: 'settings-key', path, line, message: `${key} is in no table of ${PAGE}` };
  }
  for (const { number, text } of documented) {
    if (declared.some(({ key }) => key === text)) continue;
    const message = `${text} is declared nowhere in apps/ and libs/`;
    yield { rule: 'settings-key', path: PAGE, line: number, message };
  }
}

function* declarations(
  repository: Repository,
): Generator<{ key: string | undefined; path: string; line: number }> {
  for (const path of repository.sources('apps', 'libs')) {
    if (isTest(path) || !repository.read(path).includes('@Setting(')) continue;
    const file = parse(repository, path);
    for (const node of nodesOf(file)) {
      if (!ts.isDecorator(node) || !ts.isCallExpression(node.expression)) continue;
      const [key] = node.expression.arguments;
      if (node.expression.expression.getText() !== 'Setting' || !key) continue;
      const text = ts.isStringLiteral(key) ? key.text : undefined;
      yield { key: text, path, line: lineOf(file, node.getStart()) };
    }
  }
}
