// Owns the reading of files that settings name. Which settings there are is the application's affair.
import { isUtf8 } from 'node:buffer';
import { readRegularFile } from '@tessera/runtime';
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
  const reading = await readRegularFile(path, MOST_BYTES);
  if ('fault' in reading) {
    throw new SettingsFileError(setting, `${path} ${reading.fault}`, reading.cause);
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
