// The contents of settings files, and which files have lost their settings since the last reading.
import type { Bootstrap } from '../bootstrap.js';
import type { ReportedViolation } from '../violation.js';
import type { RawEntry } from '../raw-value.js';

/** A file with only a comment, or `{}`, is intentionally without settings; white space is not. */
export type FileContent = 'settings' | 'nothing' | 'white space';

export interface FilesRead {
  readonly bootstrap: Bootstrap;
  /** By file name as shown to operators; missing files have no entry. */
  readonly contents: ReadonlyMap<string, FileContent>;
}

/**
 * Violations for files that had settings and are now missing or empty: such a file is probably being written, or its mount
 * is gone.
 */
export function lostFiles(before: FilesRead, now: FilesRead): readonly ReportedViolation[] {
  // Other profiles or another directory have other files.
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

/** The entries of one file, in its order, and its errors. */
export interface ParsedSettingsFile {
  readonly entries: readonly RawEntry[];
  readonly violations: readonly ReportedViolation[];
  /** For the log. */
  readonly warnings?: readonly string[];
}
