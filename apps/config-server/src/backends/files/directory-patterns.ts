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
  const found = new Map<string, SearchedDirectory>();
  const matcher = new Matcher(tree);
  for (const directory of directories) {
    const matches = isPattern(directory) ? await matcher.find(directory) : [{ path: directory }];
    for (const match of matches) found.set(match.path, found.get(match.path) ?? match);
  }
  return [...found.values()];
}

function isPattern(text: string): boolean {
  return /[*?]/.test(text);
}

/** For one request: caches listings, and the matches of the beginnings that patterns share. */
class Matcher {
  private readonly listings = new Map<string, Promise<DirectoryListing>>();
  private readonly matches = new Map<string, Promise<readonly string[]>>();

  constructor(private readonly tree: Lister) {}

  /** Sorted by name. */
  async find(pattern: string): Promise<SearchedDirectory[]> {
    const paths = await this.matchesOf(pattern.split('/').slice(0, -1));
    // Without the slash, which would sort `a-b` before `a`.
    const sorted = paths.toSorted((a, b) => (a.slice(0, -1) < b.slice(0, -1) ? -1 : 1));
    return Promise.all(
      sorted.map(async (path) => ({ path, files: (await this.list(path)).files })),
    );
  }

  private matchesOf(names: readonly string[]): Promise<readonly string[]> {
    const key = names.join('/');
    const known = this.matches.get(key) ?? this.followNames(names);
    this.matches.set(key, known);
    return known;
  }

  /** Level by level; a directory that several ways lead to is followed once. */
  private async followNames(names: readonly string[]): Promise<readonly string[]> {
    const name = names.at(-1);
    if (name === undefined) return [''];
    const found = new Set<string>();
    for (const directory of await this.matchesOf(names.slice(0, -1))) {
      if (name === '**') await this.addAllBelow(directory, found);
      else await this.addMatches(directory, name, found);
      requireFew(found);
    }
    return [...found];
  }

  private async addMatches(directory: string, name: string, found: Set<string>): Promise<void> {
    const { directories } = await this.list(directory);
    if (!isPattern(name)) {
      if (directories.has(name)) found.add(`${directory}${name}/`);
      return;
    }
    for (const each of directories) {
      if (matchesPattern(each, name)) found.add(`${directory}${each}/`);
    }
  }

  /** The directory itself, and all directories below. */
  private async addAllBelow(top: string, found: Set<string>): Promise<void> {
    const pending = [top];
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      if (found.has(next)) continue;
      found.add(next);
      requireFew(found);
      const { directories } = await this.list(next);
      for (const name of directories) pending.push(`${next}${name}/`);
    }
  }

  private list(directory: string): Promise<DirectoryListing> {
    const known = this.listings.get(directory) ?? this.tree.list(directory);
    this.listings.set(directory, known);
    return known;
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
