// Reads accounts from a password file of Apache or nginx: `name:hash` lines.
import type { ImportEntry, ImportViolation, ParsedFile } from './import-entry.js';

/** Ignores empty lines, comments, and text after a second colon. */
export function readHtpasswd(text: string): ParsedFile {
  const entries: ImportEntry[] = [];
  const violations: ImportViolation[] = [];
  for (const [index, line] of text
    .split('\n')
    .map((each) => each.trim())
    .entries()) {
    if (line === '' || line.startsWith('#')) {
      continue;
    }
    const position = `line ${index + 1}`;
    const [name, passwordHash] = line.split(':');
    if (passwordHash === undefined || passwordHash === '') {
      violations.push({ position, reason: 'is not a user name, a colon and a hash' });
    } else {
      entries.push({ position, name, passwordHash });
    }
  }
  return { entries, violations };
}
