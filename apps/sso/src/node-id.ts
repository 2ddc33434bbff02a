// Owns the id by which the processes of one program know each other on a database that other programs use too.
import cluster from 'node:cluster';
import { createHash, randomUUID } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/** Of a worker the same as of all workers of its first process, of any other process another each time. */
export function nodeId(isWorker = cluster.isWorker): string {
  if (!isWorker) return randomUUID();
  // Containers may have the same name of host and the same process ids, but not on one machine in one name space of them.
  const parts = [
    hostname(),
    textOf(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8')),
    textOf(() => readlinkSync('/proc/self/ns/pid')),
    process.ppid,
  ];
  return createHash('sha256').update(parts.join('\n')).digest('base64url');
}

/** Empty where the system tells no such thing. */
function textOf(read: () => string): string {
  try {
    return read();
  } catch {
    return '';
  }
}
