// Which process owns an embedded server: the one that holds this lock. The kernel keeps it and drops
// it with the process, however that ends, so nothing stale is left and no process id is compared.
import { chmodSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

export interface OwnerLock {
  release(): void;
}

const SQLITE_BUSY = 5;

/**
 * Takes the lock, or returns undefined when another living owner (of this process or of another)
 * has it. Node has no file locks; SQLite's exclusive transaction is one, and the file stays empty.
 */
export function tryOwnerLock(path: string): OwnerLock | undefined {
  const file = new DatabaseSync(path);
  try {
    chmodSync(path, 0o600);
    file.exec('begin exclusive');
  } catch (error) {
    file.close();
    if (isBusy(error)) {
      return undefined;
    }
    throw error;
  }
  return { release: () => file.close() };
}

function isBusy(error: unknown): boolean {
  return (
    typeof error === 'object' &&
    error !== null &&
    'errcode' in error &&
    error.errcode === SQLITE_BUSY
  );
}
