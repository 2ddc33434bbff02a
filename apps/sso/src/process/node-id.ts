// The id that the processes of one node share, to recognise their own announcements in the database.
import { createHash, randomUUID } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/**
 * The same id for the processes of one node.
 *
 * @param primary the id of the primary process; undefined for a single process
 */
export function nodeId(primary: number | undefined): string {
  if (primary === undefined) return randomUUID();
  // Containers may share host names and process ids, but not within one PID namespace of one machine.
  const parts = [
    hostname(),
    readOrEmpty(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8')),
    readOrEmpty(() => readlinkSync('/proc/self/ns/pid')),
    primary,
  ];
  return createHash('sha256').update(parts.join('\n')).digest('base64url');
}

/** Empty on systems without this file. */
function readOrEmpty(read: () => string): string {
  try {
    return read();
  } catch {
    return '';
  }
}
