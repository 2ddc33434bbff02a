// A lock among processes of this machine.
import { chmod } from 'node:fs/promises';

export interface FileLock {
  release(): void;
}

const SQLITE_BUSY = 5;

/**
 * Takes a lock, or returns undefined while another holder, in this process or another, has it. The kernel releases it when
 * the process ends, however that happens: no stale lock remains, and no process id is compared. Node has no file locks, so
 * an exclusive transaction of SQLite serves as one; the file stays empty. Keep the lock: garbage collection releases it.
 *
 * @throws Error where the file cannot be made
 */
export async function tryFileLock(path: string): Promise<FileLock | undefined> {
  // An older Node, which refuseOlderNode tells so, does not have it.
  const { DatabaseSync } = await import('node:sqlite');
  const file = new DatabaseSync(path);
  try {
    await chmod(path, 0o600);
    file.exec('begin exclusive');
  } catch (error) {
    file.close();
    if (isBusy(error)) return undefined;
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
