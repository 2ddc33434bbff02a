// Reads accounts from a password file of Apache or nginx: `name:hash`, one a line. Which hashes are of
// use is checked elsewhere.
import type { ImportEntry, ImportFault, ReadFile } from './import-entry.js';

/** Empty lines and comments are passed over, and so is what stands behind a second colon. */
export function readHtpasswd(text: string): ReadFile {
  const entries: ImportEntry[] = [];
  const faults: ImportFault[] = [];
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
      faults.push({ position, problem: 'is not a user name, a colon and a hash' });
    } else {
      entries.push({ position, name, passwordHash });
    }
  }
  return { entries, faults };
}
