// Every suppression needs a reason.

import ts from 'typescript';

import type { Finding, Repository } from '../repository.ts';
import { lineOf } from './syntax.ts';

const FOLDERS = ['apps', 'libs', 'test', 'bench', 'tools'] as const;
const SUPPRESSION =
  /(oxlint-disable|eslint-disable|@ts-expect-error|@ts-ignore|@ts-nocheck|prettier-ignore|(?:v8|c8|istanbul) ignore)/;
const REASON = / -- \S.{8,}/;

export function* suppressionHasReason(repository: Repository): Generator<Finding> {
  for (const path of repository.sources(...FOLDERS)) {
    const text = repository.read(path);
    if (!SUPPRESSION.test(text)) continue;
    const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
    for (const { comment, position } of commentsOf(text)) {
      const directive = SUPPRESSION.exec(comment)?.[1];
      if (directive === undefined || REASON.test(comment)) continue;
      yield {
        rule: 'suppression-has-reason',
        path,
        line: lineOf(file, position),
        message: `write why: «${directive} … -- the reason»`,
      };
    }
  }
}

function* commentsOf(text: string): Generator<{ comment: string; position: number }> {
  const scanner = ts.createScanner(
    ts.ScriptTarget.Latest,
    false,
    ts.LanguageVariant.Standard,
    text,
  );
  for (let kind = scanner.scan(); kind !== ts.SyntaxKind.EndOfFileToken; kind = scanner.scan()) {
    if (
      kind === ts.SyntaxKind.SingleLineCommentTrivia ||
      kind === ts.SyntaxKind.MultiLineCommentTrivia
    ) {
      yield { comment: scanner.getTokenText(), position: scanner.getTokenStart() };
    }
  }
}
