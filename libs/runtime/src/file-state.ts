// Owns the question whether a file may have changed. What is done then is for those who ask.
import { stat } from 'node:fs/promises';

/** A text that differs whenever the file may have changed, or become another; a link is followed. Never fails. */
export async function fileState(path: string): Promise<string> {
  try {
    const { dev, ino, size, mtimeNs, ctimeNs } = await stat(path, { bigint: true });
    return [dev, ino, size, mtimeNs, ctimeNs].join(' ');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return code ?? message;
  }
}

/** Of each file, in their order. */
export function fileStates(paths: readonly string[]): Promise<readonly string[]> {
  return Promise.all(paths.map(fileState));
}
