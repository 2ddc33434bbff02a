// Finds the directories of a tree that search paths with patterns match.
import { BackendError } from '../backend-error.js';
import type { DirectoryListing, FileTree } from '../environment-backend.js';

/** Of one pattern. */
const MAX_DIRECTORIES = 4096;

/** `''` (the root) or ending in a slash. */
export interface SearchedDirectory {
  readonly path: string;
  /** The names of its files, where a pattern found it. */
  readonly files?: ReadonlySet<string>;
}

type Lister = Pick<FileTree, 'list'>;

/**
 * The directories in their order, each once: those without a pattern as they are, those that match a pattern sorted by
 * their names. In a pattern `?` is one character, `*` any number of them, and the name `**` any number of levels. Matching
 * is case-sensitive, and finds nothing outside the tree and no name that begins with a dot.
 *
 * @param directories as `searchedDirectories` returns them
 * @throws BackendError BACKEND_UNAVAILABLE; SOURCE_MALFORMED for a pattern that matches more than 4,096 directories
 */
export async function matchDirectories(
  tree: Lister,
  directories: readonly string[],
): Promise<SearchedDirectory[]> {
  if (!directories.some(isPattern)) return directories.map((path) => ({ path }));
  const found = new Map<string, SearchedDirectory>();
  const lister = new CachingLister(tree);
  for (const directory of directories) {
    const matches = isPattern(directory) ? await matchesOf(lister, directory) : [directory];
    for (const path of matches) {
      if (found.has(path)) continue;
      const files = isPattern(directory) ? (await lister.list(path)).files : undefined;
      found.set(path, { path, ...(files && { files }) });
    }
  }
  return [...found.values()];
}

function isPattern(directory: string): boolean {
  return /[*?]/.test(directory);
}

class CachingLister implements Lister {
  private readonly listings = new Map<string, Promise<DirectoryListing>>();

  constructor(private readonly tree: Lister) {}

  list(directory: string): Promise<DirectoryListing> {
    const known = this.listings.get(directory) ?? this.tree.list(directory);
    this.listings.set(directory, known);
    return known;
  }
}

/** Level by level; a directory that several ways lead to is followed once. */
async function matchesOf(tree: Lister, pattern: string): Promise<string[]> {
  let matches = new Set(['']);
  for (const name of pattern.split('/').slice(0, -1)) {
    const next = new Set<string>();
    for (const directory of matches) await addMatches(tree, directory, { name, found: next });
    matches = next;
  }
  // Without the slash, which would sort `a-b` before `a`.
  return [...matches].toSorted((a, b) => (a.slice(0, -1) < b.slice(0, -1) ? -1 : 1));
}

interface Level {
  /** A name, or a pattern for names. */
  readonly name: string;
  /** Gets the directories. */
  readonly found: Set<string>;
}

async function addMatches(tree: Lister, directory: string, { name, found }: Level): Promise<void> {
  if (name === '**') {
    await addAllBelow(tree, directory, found);
    return;
  }
  const names = isPattern(name) ? (await tree.list(directory)).directories : [name];
  const matching = names.filter((each) => each === name || matchesPattern(each, name));
  for (const each of matching) found.add(`${directory}${each}/`);
  requireFew(found);
}

/** The directory itself, and all directories below. */
async function addAllBelow(tree: Lister, top: string, found: Set<string>): Promise<void> {
  const pending = [top];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (found.has(next)) continue;
    found.add(next);
    requireFew(found);
    const { directories } = await tree.list(next);
    for (const name of directories) pending.push(`${next}${name}/`);
  }
}

function requireFew(directories: ReadonlySet<string>): void {
  if (directories.size <= MAX_DIRECTORIES) return;
  const reason = `a search path with a pattern matches more than ${MAX_DIRECTORIES} directories`;
  throw new BackendError('SOURCE_MALFORMED', reason);
}

/** Goes back to the last `*` only, so the time is at most the product of both lengths. */
export function matchesPattern(name: string, pattern: string): boolean {
  let at = 0;
  let inPattern = 0;
  let star = -1;
  let afterStar = 0;
  while (at < name.length) {
    const sign = pattern[inPattern];
    if (sign === '*') {
      star = inPattern;
      afterStar = at;
      inPattern += 1;
    } else if (sign === '?' || sign === name[at]) {
      at += 1;
      inPattern += 1;
    } else if (star >= 0) {
      afterStar += 1;
      at = afterStar;
      inPattern = star + 1;
    } else {
      return false;
    }
  }
  return /^\**$/.test(pattern.slice(inPattern));
}
