// Parses the parts of Markdown that the checks need: links, headings with their anchors, tables, code.

import type { Repository } from '../repository.ts';

export interface Line {
  readonly number: number;
  readonly text: string;
}

export interface Link {
  readonly line: number;
  readonly target: string;
}

export function pagesOf(repository: Repository): readonly string[] {
  return repository.paths.filter((path) => path.endsWith('.md'));
}

/** The lines of a page outside fenced code. */
function proseOf(page: string): readonly Line[] {
  let fence: string | undefined;
  return page.split('\n').flatMap((text, index) => {
    const mark = /^\s*(`{3,}|~{3,})/.exec(text)?.[1];
    if (fence === undefined && mark === undefined) return [{ number: index + 1, text }];
    if (fence === undefined) fence = mark;
    else if (mark?.startsWith(fence) === true) fence = undefined;
    return [];
  });
}

/** Targets of inline links, images and reference definitions. */
export function linksOf(page: string): readonly Link[] {
  return proseOf(page).flatMap(({ number, text }) => {
    const prose = text.replaceAll(/`[^`]*`/g, '``');
    const inline = prose.matchAll(/\]\(\s*<?([^)\s>]+)>?(?:\s+"[^"]*")?\s*\)/g);
    const defined = prose.matchAll(/^\s*\[[^\]]+\]:\s+<?([^\s>]+)>?/g);
    return [...inline, ...defined].map((match) => ({ line: number, target: match[1] ?? '' }));
  });
}

/** The anchors of a page, as GitHub derives them from headings. */
export function anchorsOf(page: string): ReadonlySet<string> {
  const anchors = new Set<string>();
  for (const { text } of proseOf(page)) {
    for (const [, name] of text.matchAll(/<a\s+(?:id|name)="([^"]+)"/g)) anchors.add(name ?? '');
    const heading = /^#{1,6}\s+(.*?)\s*#*$/.exec(text)?.[1];
    if (heading === undefined) continue;
    const slug = slugOf(heading);
    let anchor = slug;
    for (let suffix = 1; anchors.has(anchor); suffix += 1) anchor = `${slug}-${String(suffix)}`;
    anchors.add(anchor);
  }
  return anchors;
}

/** Code spans in the first column of every table of a page. */
export function* tableKeysOf(page: string): Generator<Line> {
  for (const { number, text } of proseOf(page)) {
    const cell = /^\s*\|((?:`[^`]*`|\\\||[^|`])*)\|/.exec(text)?.[1];
    for (const match of (cell ?? '').matchAll(/`([^`]+)`/g)) {
      yield { number, text: match[1] ?? '' };
    }
  }
}

export function slugOf(heading: string): string {
  return heading
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-');
}
