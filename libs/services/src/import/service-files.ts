// Finds and reads the files of an import: which there are, and that each is a text of decent size.
// What they say is read elsewhere.
import { isUtf8 } from 'node:buffer';
import { readdir, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';
import { readRegularFile } from '@tessera/runtime';
import { ServiceError } from '../service-error.js';

const MOST_FILES = 20_000;
const MOST_BYTES = 1_048_576;

/** A file's text, or why it has none for us. */
export type ServiceFile = { readonly file: string } & (
  { readonly text: string } | { readonly refusal: string } | { readonly ignored: string }
);

/**
 * Reads a file, or every `*.json` of a directory in the order of their names. Subdirectories are not
 * read, and a link must lead to a place in the same directory.
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
    if (/\.json$/i.test(file)) yield await readWithin(root, file);
    else yield { file, ignored: 'is not a .json file' };
  }
}

/** What a directory holds, but for hidden entries; undefined for a file. */
async function namesIn(path: string): Promise<readonly string[] | undefined> {
  try {
    if (!(await stat(path)).isDirectory()) return undefined;
    const names = (await readdir(path)).filter((name) => !name.startsWith('.'));
    if (names.length <= MOST_FILES) return names.toSorted();
  } catch (error) {
    throw unreadable(path, codeOf(error), error);
  }
  throw unreadable(path, `more than ${MOST_FILES} entries`);
}

async function readWithin(root: string, file: string): Promise<ServiceFile> {
  try {
    const path = await realpath(join(root, file));
    if (path.startsWith(root + sep)) return await readText(path, file);
    return { file, refusal: 'leads out of the directory' };
  } catch (error) {
    return { file, refusal: `cannot be read (${codeOf(error)})` };
  }
}

async function readText(path: string, file: string): Promise<ServiceFile> {
  const reading = await readRegularFile(path, MOST_BYTES);
  if ('fault' in reading) return { file, refusal: reading.fault };
  const { content } = reading;
  return isUtf8(content) ? { file, text: content.toString() } : { file, refusal: 'is not UTF-8' };
}

function unreadable(path: string, reason: string, cause?: unknown): ServiceError {
  return new ServiceError('SERVICE_FILES_UNREADABLE', `cannot read ${path} (${reason})`, cause);
}

function codeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
}
