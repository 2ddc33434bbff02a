// Reads files that hold keys, and refuses those that too many people may read or write.
import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { unusable } from './unusable-key.js';

const MOST_BYTES = 1024 * 1024;
/** Others may read; the group or others may write. */
const TOO_OPEN = 0o026;
/** As above, of files that the system hands over: Docker lets everybody in the container read its secrets. */
const WRITABLE = 0o022;

/**
 * The content of a regular file of at most 1 MiB; links are followed, as Kubernetes mounts secrets as
 * links. Overwrite it once it is read.
 *
 * @param mayBeRead whether others may
 * @throws CryptoError KEY_UNUSABLE, naming the file, and the command that mends its permissions
 */
export async function readGuardedFile(path: string, mayBeRead = false): Promise<Buffer> {
  try {
    // Without O_NONBLOCK a named pipe would keep us waiting for its other end.
    const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      await checkFile(path, handle, mayBeRead ? WRITABLE : TOO_OPEN);
      return await handle.readFile();
    } finally {
      await handle.close();
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'KEY_UNUSABLE') throw error;
    throw unusable(`${path} cannot be read${code === undefined ? '' : ` (${code})`}`, error);
  }
}

/** Asks the opened file: one that takes its name afterwards is not read. */
async function checkFile(path: string, handle: FileHandle, tooOpen: number): Promise<void> {
  const stats = await handle.stat();
  if (!stats.isFile()) throw unusable(`${path} is no regular file`);
  if (stats.size > MOST_BYTES) throw unusable(`${path} has more than ${MOST_BYTES} bytes`);
  if ((stats.mode & tooOpen) !== 0) {
    const mode = (stats.mode & 0o7777).toString(8).padStart(4, '0');
    throw unusable(`${path} has mode ${mode}, which lets others at it: chmod 600 ${path}`);
  }
}
