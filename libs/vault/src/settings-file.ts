// Reads small text files that settings name.
import { isUtf8 } from 'node:buffer';
import { readRegularFile } from '@tessera/runtime';
import { SettingsFileError } from './vault-error.js';

const MAX_BYTES = 1_048_576;

/** A file, and the setting that names it, for error messages. */
export interface SettingsFile {
  readonly setting: string;
  readonly path: string;
}

/**
 * The text of a regular file, at most 1 MiB of UTF-8.
 *
 * @param check throws an Error for invalid text, without quoting it
 * @throws SettingsFileError
 */
export async function readSettingsFile(
  { setting, path }: SettingsFile,
  check: (text: string) => void,
): Promise<string> {
  const reading = await readRegularFile(path, MAX_BYTES);
  if ('error' in reading) {
    throw new SettingsFileError(setting, `${path} ${reading.error}`, reading.cause);
  }
  try {
    if (!isUtf8(reading.content)) throw new Error('it is not UTF-8');
    const text = reading.content.toString();
    check(text);
    return text;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new SettingsFileError(setting, `cannot read ${path} (${code ?? message})`, error);
  }
}
