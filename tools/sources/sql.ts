// Checks that SQL is only in stores and their statements, registries, migrations, libs/database and libs/embedded-postgres.

import { isTest, type Finding, type Repository } from '../repository.ts';
import { lineOf, nodesOf, parse, textOf } from './syntax.ts';

const SQL_FILES = [
  /^libs\/(database|embedded-postgres)\//,
  /^libs\/(tickets|services|accounts)\/src\/(postgres|registry)\//,
  /^libs\/(tickets|services|accounts|throttling|audit|signing-keys)\/src\/.*(store|search|registry)\.ts$/,
  /^apps\/config-server\/src\/backends\/postgres\/.*store\.ts$/,
  /^apps\/sso\/src\/(login|oidc\/storage)\/.*(store|statements)\.ts$/,
];

/** The beginnings of statements, each long enough to distinguish it from a sentence. */
const STATEMENTS = [
  /^select\s[^]*\sfrom\s/i,
  /^select\s+(\d|\w+\s*\()/i,
  /^insert\s+into\s/i,
  /^update\s[^]*\sset\s/i,
  /^delete\s+from\s/i,
  /^with\s+(recursive\s+)?\w+\s*(\([^)]*\)\s*)?as\s/i,
  /^(create|alter|drop)\s+(unlogged\s+)?(unique\s+)?(table|index|sequence|schema|type|function|database|role)\s/i,
  /^truncate\s+(table\s+)?\w+/i,
  /^(un)?listen\s+["\w?]+;?$/i,
  /^notify\s+["\w?]+(\s*,.*)?;?$/i,
  /^(begin|commit|rollback);?$/i,
];

export function* sqlInItsPlace(repository: Repository): Generator<Finding> {
  for (const path of repository.sources('apps', 'libs')) {
    if (isTest(path) || SQL_FILES.some((pattern) => pattern.test(path))) continue;
    const file = parse(repository, path);
    for (const node of nodesOf(file)) {
      const text = textOf(node)?.trim();
      if (text === undefined || !STATEMENTS.some((statement) => statement.test(text))) continue;
      yield {
        rule: 'sql-in-its-place',
        path,
        line: lineOf(file, node.getStart()),
        message: `move «${shorten(text)}» to the store, registry or migration that owns the table`,
      };
    }
  }
}

function shorten(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ');
  return line.length > 40 ? `${line.slice(0, 40)}…` : line;
}
