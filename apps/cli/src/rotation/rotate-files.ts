// Finds the settings files to rotate, reads them and replaces them.
import { randomUUID } from 'node:crypto';
import type { Stats } from 'node:fs';
import { open, readdir, realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname, extname, join, sep } from 'node:path';
import type { SourceKind } from '@tessera/property-sources';
import { describeReadError, readRegularFile } from '@tessera/runtime';
import { CliError } from '../cli-error.js';

export interface SettingsFile {
  /** As given, or as found in a given directory. */
  readonly path: string;
  /** With links resolved. */
  readonly realPath: string;
  readonly kind: SourceKind;
}

const KINDS: ReadonlyMap<string, SourceKind> = new Map([
  ['.yml', 'yaml'],
  ['.yaml', 'yaml'],
  ['.json', 'yaml'],
  ['.properties', 'properties'],
  ['.xml', 'xml'],
]);

/**
 * The given files and the settings files in given directories, each once, in order.
 *
 * @throws CliError for a path that does not exist, and for a given file of another kind
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
  const entry = await entryAt(path);
  if (!entry) throw new CliError(`${path} does not exist`);
  const kind = kindOf(path);
  if (entry.type === 'directory') {
    yield* filesBelow(path, entry.realPath, new Set());
  } else if (entry.type === 'file' && kind) {
    yield { path, realPath: entry.realPath, kind };
  } else {
    throw new CliError(`${path} is no file that ends in ${[...KINDS.keys()].join(', ')}`);
  }
}

/** @param visited real paths of visited directories: links may lead back to them */
async function* filesBelow(
  directory: string,
  root: string,
  visited: Set<string>,
): AsyncIterable<SettingsFile> {
  const names = await readdir(directory);
  for (const name of names.filter((each) => !each.startsWith('.')).toSorted()) {
    const path = join(directory, name);
    const kind = kindOf(path);
    const entry = await entryAt(path);
    if (!entry?.realPath.startsWith(withSeparator(root)) || visited.has(entry.realPath)) continue;
    if (entry.type === 'directory') {
      visited.add(entry.realPath);
      yield* filesBelow(path, root, visited);
    } else if (entry.type === 'file' && kind) {
      yield { path, realPath: entry.realPath, kind };
    }
  }
}

function kindOf(path: string): SourceKind | undefined {
  return KINDS.get(extname(path).toLowerCase());
}

interface Entry {
  readonly realPath: string;
  readonly type: 'file' | 'directory' | 'other';
}

/** Undefined if nothing exists at the path, or if its link is broken. */
async function entryAt(path: string): Promise<Entry | undefined> {
  try {
    const realPath = await realpath(path);
    const stats = await stat(realPath);
    const fileOrOther = stats.isFile() ? 'file' : 'other';
    return { realPath, type: stats.isDirectory() ? 'directory' : fileOrOther };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new CliError(`${path} ${describeReadError(error)}`);
  }
}

function withSeparator(directory: string): string {
  return directory.endsWith(sep) ? directory : directory + sep;
}

const MAX_FILE_BYTES = 67_108_864;
const IDENTITY = ['dev', 'ino', 'mode', 'uid', 'gid'] as const;

/** Content and stats come from one open file, so that they belong together. */
export interface ReadFile {
  readonly content: Buffer;
  readonly stats: Stats;
}

/** @param path of a file that is no link: the target of a link may have changed @throws CliError */
export async function readSettingsFile(path: string): Promise<ReadFile> {
  let stats: Stats | undefined;
  const reading = await readRegularFile(path, MAX_FILE_BYTES, {
    refusesLinks: true,
    check: (opened) => {
      stats = opened;
      return undefined;
    },
  });
  if ('error' in reading || stats === undefined) {
    throw new CliError('error' in reading ? reading.error : 'is no regular file');
  }
  return { content: reading.content, stats };
}

/** Whether the path is still the same file, with the same owner, mode and content. */
async function isUnchanged(path: string, { content, stats }: ReadFile): Promise<boolean> {
  const now = await readSettingsFile(path);
  return IDENTITY.every((each) => now.stats[each] === stats[each]) && now.content.equals(content);
}

/** Without the set-user-ID bit and its kin. */
const PERMISSIONS = 0o777;

/**
 * Replaces a file atomically: a reader sees either the old or the new content. The file keeps the permissions, owner and
 * group that it had when it was read.
 *
 * @param path of a file that is no link: the link itself would be replaced
 * @param before the file as it was read, which must be unchanged
 * @throws CliError where the file has changed, cannot be written, or would change its owner; the file then stays as it is
 */
export async function replaceFile(path: string, before: ReadFile, after: Buffer): Promise<void> {
  const directory = dirname(path);
  // Servers that watch the directory ignore names that begin with a dot.
  const temporary = join(directory, `.tessera-${randomUUID()}`);
  try {
    await writeCopyOf(before.stats, temporary, after);
    if (!(await isUnchanged(path, before))) {
      throw new CliError('it has changed since it was read: nothing was written to it');
    }
    await rename(temporary, path);
  } catch (error) {
    if (error instanceof CliError) throw error;
    throw new CliError(`it cannot be written (${(error as NodeJS.ErrnoException).code})`);
  } finally {
    await rm(temporary, { force: true });
  }
  await syncDirectory(directory);
}

async function writeCopyOf(model: Stats, path: string, content: Buffer): Promise<void> {
  const handle = await open(path, 'wx', 0o600);
  try {
    await handle.writeFile(content);
    // Not every user and file system can change the owner. The result is checked below.
    await handle.chown(model.uid, model.gid).catch(() => undefined);
    const { uid, gid } = await handle.stat();
    if (uid !== model.uid || gid !== model.gid) {
      const owner = `${model.uid}:${model.gid}`;
      throw new CliError(`it would no longer belong to ${owner}: rotate as that user, or as root`);
    }
    await handle.chmod(model.mode & PERMISSIONS);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Makes the rename survive a power failure. Some file systems cannot; the file is complete in any case. */
async function syncDirectory(path: string): Promise<void> {
  const handle = await open(path, 'r').catch(() => undefined);
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}
