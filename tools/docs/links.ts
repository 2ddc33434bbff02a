// Checks that the relative links and anchors of all pages exist, and that the indexes link every page.

import { posix } from 'node:path';

import type { Finding, Repository } from '../repository.ts';
import { anchorsOf, type Link, linksOf, pagesOf } from './markdown.ts';

const ABSOLUTE_URL = /^[a-z][a-z0-9+.-]*:/i;
const SOURCE = /`((?:apps|libs|test|tools|bench)\/[\w./-]+)`/g;

export function* links(repository: Repository): Generator<Finding> {
  for (const page of pagesOf(repository)) {
    for (const link of linksOf(repository.read(page))) {
      const error = linkError(repository, page, link);
      if (error === undefined) continue;
      yield { rule: 'link', path: page, line: link.line, message: `${link.target}: ${error}` };
    }
  }
}

/** The index of a folder of documents links each of its pages. */
export function* indexes(repository: Repository): Generator<Finding> {
  for (const index of ['docs/README.md', 'docs/adr/README.md']) {
    const folder = posix.dirname(index);
    const pages = pagesOf(repository).filter(
      (page) => posix.dirname(page) === folder && page !== index,
    );
    const text = repository.has(index) ? repository.read(index) : '';
    const linked = linksOf(text).map(({ target }) => pathOf(index, target));
    for (const page of pages.filter((each) => !linked.includes(each))) {
      yield { rule: 'index', path: index, line: 0, message: `has no link to ${page}` };
    }
  }
}

function linkError(repository: Repository, page: string, { target }: Link): string | undefined {
  if (ABSOLUTE_URL.test(target)) return undefined;
  if (target.startsWith('/')) return 'write a path relative to this page';
  const path = pathOf(page, target);
  if (path.startsWith('../') || !repository.has(path)) return 'there is no such file';
  const anchor = target.split('#')[1];
  if (anchor === undefined || !path.endsWith('.md')) return undefined;
  return anchorsOf(repository.read(path)).has(anchor) ? undefined : 'there is no such heading';
}

function pathOf(page: string, target: string): string {
  const file = decodeURIComponent(target.split('#')[0] ?? '');
  return file === '' ? page : posix.join(posix.dirname(page), file);
}

/** Every file and folder of the sources that a page names exists. Replaced decisions and the history keep their names. */
export function* sourcePaths(repository: Repository): Generator<Finding> {
  for (const path of pagesOf(repository)) {
    const page = repository.read(path);
    if (path === 'CHANGELOG.md' || /^Status: replaced/m.test(page)) continue;
    for (const { index, 1: named = '' } of page.matchAll(SOURCE)) {
      if (repository.has(named)) continue;
      const line = page.slice(0, index).split('\n').length;
      yield { rule: 'source', path, line, message: `${named}: there is no such file` };
    }
  }
}
