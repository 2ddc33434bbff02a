// Checks the order of imports: node, packages, @tessera/*, relative.

import ts from 'typescript';

import type { Finding, Repository } from '../repository.ts';
import { lineOf, parse } from './syntax.ts';

const GROUPS = ['node', 'packages', '@tessera/*', 'relative'] as const;

export function* importOrder(repository: Repository): Generator<Finding> {
  for (const path of repository.sources('apps', 'libs', 'test', 'bench', 'tools')) {
    const file = parse(repository, path);
    let latest = 0;
    for (const statement of file.statements) {
      // An import without names has side effects, whose order may matter.
      if (!ts.isImportDeclaration(statement) || !statement.importClause) continue;
      if (!ts.isStringLiteral(statement.moduleSpecifier)) continue;
      const name = statement.moduleSpecifier.text;
      const group = groupOf(name);
      if (group < latest) {
        yield {
          rule: 'import-order',
          path,
          line: lineOf(file, statement.getStart()),
          message: `${name} (${GROUPS[group] ?? ''}) belongs above ${GROUPS[latest] ?? ''} imports`,
        };
      }
      latest = Math.max(latest, group);
    }
  }
}

function groupOf(name: string): number {
  if (name.startsWith('node:')) return 0;
  if (name.startsWith('@tessera/')) return 2;
  return name.startsWith('.') ? 3 : 1;
}
