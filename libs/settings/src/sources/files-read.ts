// Owns what settings files held when they were read, and which of them have lost it since: a file that somebody is about to
// write, or that a mount has lost, is not one without settings.
import type { Bootstrap } from '../bootstrap.js';
import type { Problem } from '../problem.js';

/** Whoever means a file to be without settings leaves a comment, or `{}`, in it. */
export type FileContent = 'settings' | 'nothing' | 'white space';

export interface FilesRead {
  readonly bootstrap: Bootstrap;
  /** By the name that people know; those that are not there are not in it. */
  readonly contents: ReadonlyMap<string, FileContent>;
}

/** Files that had settings and are gone or empty. */
export function lostFiles(before: FilesRead, now: FilesRead): readonly Problem[] {
  // For other profiles, or elsewhere, there are other files.
  if (JSON.stringify(before.bootstrap) !== JSON.stringify(now.bootstrap)) return [];
  const hadSettings = [...before.contents].filter(([, content]) => content === 'settings');
  return hadSettings.flatMap(([origin]) => {
    const content = now.contents.get(origin);
    if (content === 'settings' || content === 'nothing') return [];
    const loss = content === undefined ? 'gone' : 'empty';
    const message = `had settings at the last reading, and is ${loss}; put it back, write a comment into it if it is to be without settings, or restart`;
    return [{ origin, message }];
  });
}
