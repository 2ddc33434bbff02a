// The navigation of the site: the tables of docs/README.md and docs/adr/README.md, in their order.

import { sitePathOf, targetOf } from './pages.ts';

export interface NavigationItem {
  readonly text: string;
  readonly link: string;
}

export interface NavigationGroup {
  readonly text: string;
  readonly items: readonly NavigationItem[];
}

const INDEX = 'docs/README.md';
const DECISIONS = 'docs/adr/README.md';

/** One group for each heading of the index. @param read reads a file of the repository */
export function groupsOf(read: (path: string) => string): readonly NavigationGroup[] {
  const [, ...sections] = read(INDEX).split(/^## /m);
  const groups = sections.map((section) => ({
    text: section.split('\n', 1)[0] ?? '',
    items: rowsOf(INDEX, section).map(({ link, text }) => ({ link, text })),
  }));
  return groups.filter(({ items }) => items.length > 0);
}

export function decisionsOf(read: (path: string) => string): readonly NavigationItem[] {
  return rowsOf(DECISIONS, read(DECISIONS)).map(({ link, text, rest }) => ({
    link,
    text: `${text} ${rest}`,
  }));
}

/** The rows of tables that begin with a link to a page. */
function rowsOf(page: string, text: string): readonly (NavigationItem & { rest: string })[] {
  const rows = text.matchAll(/^\| \[([^\]]+)\]\(([^)]+)\) *\| *([^|]*?) *\|/gm);
  return [...rows].flatMap(([, title = '', target = '', rest = '']) => {
    const { path = '', anchor = '' } = targetOf(page, target) ?? {};
    const sitePath = sitePathOf(path);
    if (sitePath === undefined) return [];
    return [{ text: title, link: `/${sitePath.replace(/\.md$/, '')}${anchor}`, rest: plain(rest) }];
  });
}

function plain(markdown: string): string {
  return markdown.replaceAll('`', '');
}
