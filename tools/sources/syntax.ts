// Parses TypeScript files into syntax trees, without type information.

import ts from 'typescript';

import type { Repository } from '../repository.ts';

const parsed = new WeakMap<Repository, Map<string, ts.SourceFile>>();

/** The tree of a file, cached. */
export function parse(repository: Repository, path: string): ts.SourceFile {
  const files = parsed.get(repository) ?? new Map<string, ts.SourceFile>();
  parsed.set(repository, files);
  const known = files.get(path);
  if (known) return known;
  const file = ts.createSourceFile(path, repository.read(path), ts.ScriptTarget.Latest, true);
  files.set(path, file);
  return file;
}

/** All nodes of a tree in pre-order. */
export function* nodesOf(node: ts.Node): Generator<ts.Node> {
  yield node;
  const children: ts.Node[] = [];
  ts.forEachChild(node, (child) => {
    children.push(child);
  });
  for (const child of children) yield* nodesOf(child);
}

export function lineOf(file: ts.SourceFile, position: number): number {
  return file.getLineAndCharacterOfPosition(position).line + 1;
}

/** The text of a string or template literal, with `?` for each inserted expression. */
export function textOf(node: ts.Node): string | undefined {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return undefined;
  return node.head.text + node.templateSpans.map((span) => `?${span.literal.text}`).join('');
}
