// Checks for the required comments: at the top of a file, and the reason of each suppression.

import ts from 'typescript';

import { isTest, type Finding, type Repository } from '../repository.ts';
import { lineOf } from './syntax.ts';

const FOLDERS = ['apps', 'libs', 'test', 'bench', 'tools'] as const;
const SUPPRESSION =
  /(oxlint-disable|eslint-disable|@ts-expect-error|@ts-ignore|@ts-nocheck|prettier-ignore|(?:v8|c8|istanbul) ignore)/;
const REASON = / -- \S.{8,}/;

export function* openingComment(repository: Repository): Generator<Finding> {
  for (const path of repository.sources(...FOLDERS)) {
    if (isTest(path)) continue; // its titles describe it
    const text = repository.read(path).replace(/^#!.*\n/, '');
    if (/^\/[/*]/.test(text)) continue;
    yield {
      rule: 'opening-comment',
      path,
      line: 1,
      message: 'open with one sentence on what this file does',
    };
  }
}

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
