// Owns which files `tessera rotate` works on.
import { readdir, realpath, stat } from 'node:fs/promises';
import { extname, join, sep } from 'node:path';
import type { SourceKind } from '@tessera/property-sources';
import { CliError } from '../cli-error.js';

export interface SettingsFile {
  /** As it was named, or found. */
  readonly path: string;
  /** Where it is, links followed. */
  readonly realPath: string;
  readonly kind: SourceKind;
}

const KINDS: ReadonlyMap<string, SourceKind> = new Map([
  ['.yml', 'yaml'],
  ['.yaml', 'yaml'],
  ['.json', 'yaml'],
  ['.properties', 'properties'],
]);

/**
 * The files that are named, and those in directories that are, each once, in order.
 *
 * @throws CliError for a path that is not there, and for a named file of another kind
 */
export async function findSettingsFiles(
  paths: readonly string[],
): Promise<readonly SettingsFile[]> {
  const found = new Map<string, SettingsFile>();
  for (const path of paths) {
    for await (const file of filesAt(path)) {
      if (!found.has(file.realPath)) found.set(file.realPath, file);
    }
  }
  return [...found.values()];
}

async function* filesAt(path: string): AsyncIterable<SettingsFile> {
  const place = await placeOf(path);
  if (!place) throw new CliError(`cannot read ${path}: there is no such file`);
  const kind = kindOf(path);
  if (place.is === 'directory') {
    yield* filesBelow(path, place.realPath, new Set());
  } else if (place.is === 'file' && kind) {
    yield { path, realPath: place.realPath, kind };
  } else {
    throw new CliError(`${path} is no file that ends in ${[...KINDS.keys()].join(', ')}`);
  }
}

/** @param visited directories that links may lead back to, by their real paths */
async function* filesBelow(
  directory: string,
  root: string,
  visited: Set<string>,
): AsyncIterable<SettingsFile> {
  const names = await readdir(directory);
  for (const name of names.filter((each) => !each.startsWith('.')).toSorted()) {
    const path = join(directory, name);
    const kind = kindOf(path);
    const place = await placeOf(path);
    if (!place?.realPath.startsWith(withSeparator(root)) || visited.has(place.realPath)) continue;
    if (place.is === 'directory') {
      visited.add(place.realPath);
      yield* filesBelow(path, root, visited);
    } else if (place.is === 'file' && kind) {
      yield { path, realPath: place.realPath, kind };
    }
  }
}

function kindOf(path: string): SourceKind | undefined {
  return KINDS.get(extname(path).toLowerCase());
}

interface Place {
  readonly realPath: string;
  readonly is: 'file' | 'directory' | 'other';
}

/** Undefined where nothing is; a link may lead nowhere. */
async function placeOf(path: string): Promise<Place | undefined> {
  try {
    const realPath = await realpath(path);
    const stats = await stat(realPath);
    const fileOrOther = stats.isFile() ? 'file' : 'other';
    return { realPath, is: stats.isDirectory() ? 'directory' : fileOrOther };
  } catch (error) {
    const { code = 'unknown fault' } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    throw new CliError(`cannot read ${path} (${code})`);
  }
}

function withSeparator(directory: string): string {
  return directory.endsWith(sep) ? directory : directory + sep;
}
