// Owns the reading of files that settings name. Which settings there are is the application's affair.
import { isUtf8 } from 'node:buffer';
import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { SettingsFileError } from './vault-error.js';

const MOST_BYTES = 1_048_576;

/** A file, and the setting that names it, for whoever has to mend it. */
export interface SettingsFile {
  readonly setting: string;
  readonly path: string;
}

/**
 * The text of a regular file of at most 1 MiB of UTF-8, once `check` has nothing against it.
 *
 * @param check throws an error that says what is wrong, without quoting the text
 * @throws SettingsFileError
 */
export async function readSettingsFile(
  { setting, path }: SettingsFile,
  check: (text: string) => void,
): Promise<string> {
  try {
    const text = await readText(path);
    check(text);
    return text;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new SettingsFileError(setting, `cannot read ${path} (${code ?? message})`, error);
  }
}

async function readText(path: string): Promise<string> {
  // To open a named pipe would otherwise wait for somebody to write to it.
  await using file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  if (!(await file.stat()).isFile()) throw new Error('it is no regular file');
  const bytes = await firstBytes(file);
  if (bytes.length > MOST_BYTES) throw new Error('it is larger than 1 MiB');
  if (!isUtf8(bytes)) throw new Error('it is not UTF-8');
  return bytes.toString();
}

/** One more than there may be, where there are as many: a file may grow while it is read. */
async function firstBytes(file: FileHandle): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of file.createReadStream({ end: MOST_BYTES, autoClose: false })) {
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks);
}
