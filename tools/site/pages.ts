// The pages of the documentation site: documents of the repository, by their path, at shorter addresses.

import { posix } from 'node:path';

const ADDRESSES: Readonly<Record<string, string>> = {
  'README.md': 'getting-started.md',
  'docs/README.md': 'overview.md',
  'docs/adr/README.md': 'adr/index.md',
  'docs/site/index.md': 'index.md',
};

/** Documents outside docs/ that are pages. */
const OTHERS = ['README.md', 'SECURITY.md', 'CONTRIBUTING.md', 'CHANGELOG.md'];

/** The path of a page in the site, `operations.md`; undefined for a file that is no page. */
export function sitePathOf(path: string): string | undefined {
  const address = ADDRESSES[path];
  if (address !== undefined) return address;
  if (OTHERS.includes(path)) return path.toLowerCase();
  return /^docs\/(?:adr\/|clients\/)?[^/]+\.md$/.test(path)
    ? path.slice('docs/'.length)
    : undefined;
}

/** A link of a document as a path of the repository, with its anchor; undefined for an absolute URL. */
export function targetOf(page: string, link: string): { path: string; anchor: string } | undefined {
  if (/^[a-z][a-z0-9+.-]*:/i.test(link)) return undefined;
  const [file = '', anchor] = link.split('#');
  const path = file === '' ? page : posix.join(posix.dirname(page), decodeURIComponent(file));
  return { path, anchor: anchor === undefined ? '' : `#${anchor}` };
}
