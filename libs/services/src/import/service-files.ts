// Finds and reads the files of an import.
import { isUtf8 } from 'node:buffer';
import type { Dirent } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';
import { describeReadError, readRegularFile } from '@tessera/runtime';
import { ServiceError } from '../service-error.js';

const MAX_FILES = 20_000;
const MAX_FILE_BYTES = 1_048_576;

/** The text of a file, or why it is refused or ignored. */
export type ServiceFile = { readonly file: string } & (
  { readonly text: string } | { readonly refusal: string } | { readonly ignored: string }
);

/**
 * Reads a file, or every `*.json` of a directory and its subdirectories in the order of their paths. Skips hidden
 * subdirectories. A link must lead to a file in the same directory or below.
 *
 * @throws ServiceError SERVICE_FILES_UNREADABLE when there is no such file or directory
 */
export async function* readServiceFiles(path: string): AsyncGenerator<ServiceFile> {
  const names = await namesIn(path);
  if (names === undefined) {
    yield await readWithin(await realpath(dirname(path)), basename(path));
    return;
  }
  const root = await realpath(path);
  for (const file of names) {
    if (isHidden(file)) yield { file, refusal: 'is hidden: rename or remove it' };
    else if (isJson(file)) yield await readWithin(root, file);
    else yield await notJson(root, file);
  }
}

/** The paths of the files below a directory, without hidden ones other than *.json; undefined for a file. */
async function namesIn(path: string): Promise<readonly string[] | undefined> {
  try {
    if (!(await stat(path)).isDirectory()) return undefined;
  } catch (error) {
    throw unreadable(path, describeReadError(error), error);
  }
  const names: string[] = [];
  const directories = [''];
  // The loop appends to the array.
  for (const directory of directories) {
    for (const entry of await entriesOf(join(path, directory))) {
      const name = join(directory, entry.name);
      if (entry.isDirectory() && !isJson(name)) directories.push(name);
      else names.push(name);
    }
    if (names.length + directories.length > MAX_FILES + 1) {
      throw unreadable(path, `has more than ${MAX_FILES} entries`);
    }
  }
  return names.toSorted();
}

/** The entries of a directory, without hidden ones other than *.json files. */
async function entriesOf(directory: string): Promise<readonly Dirent[]> {
  try {
    const entries = await readdir(directory, { withFileTypes: true });
    return entries.filter(
      (entry) => !isHidden(entry.name) || (isJson(entry.name) && !entry.isDirectory()),
    );
  } catch (error) {
    throw unreadable(directory, describeReadError(error), error);
  }
}

function isHidden(file: string): boolean {
  return basename(file).startsWith('.');
}

function isJson(file: string): boolean {
  return /\.json$/i.test(file);
}

async function notJson(root: string, file: string): Promise<ServiceFile> {
  const target = await stat(join(root, file)).catch(() => undefined);
  return target?.isDirectory() === true
    ? { file, refusal: 'is a link to a directory, which is not followed' }
    : { file, ignored: 'is not a .json file' };
}

async function readWithin(root: string, file: string): Promise<ServiceFile> {
  try {
    const path = await realpath(join(root, file));
    if (path.startsWith(root + sep)) return await readText(path, file);
    return { file, refusal: 'is a link out of the directory' };
  } catch (error) {
    return { file, refusal: describeReadError(error) };
  }
}

async function readText(path: string, file: string): Promise<ServiceFile> {
  const reading = await readRegularFile(path, MAX_FILE_BYTES);
  if ('error' in reading) return { file, refusal: reading.error };
  const { content } = reading;
  return isUtf8(content) ? { file, text: content.toString() } : { file, refusal: 'is not UTF-8' };
}

function unreadable(path: string, reason: string, cause?: unknown): ServiceError {
  return new ServiceError('SERVICE_FILES_UNREADABLE', `${path} ${reason}`, cause);
}
