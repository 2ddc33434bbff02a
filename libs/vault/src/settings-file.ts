// Owns the reading of files that settings name. Which settings there are is the application's affair.
import { readFile } from 'node:fs/promises';
import { SettingsFileError } from './vault-error.js';

/** A file, and the setting that names it, for whoever has to mend it. */
export interface SettingsFile {
  readonly setting: string;
  readonly path: string;
}

/**
 * The text of a file, once `check` has nothing against it.
 *
 * @param check throws an error that says what is wrong, without quoting the text
 * @throws SettingsFileError
 */
export async function readSettingsFile(
  { setting, path }: SettingsFile,
  check: (text: string) => void,
): Promise<string> {
  try {
    const text = await readFile(path, 'utf8');
    check(text);
    return text;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new SettingsFileError(setting, `cannot read ${path} (${code ?? message})`, error);
  }
}
