// Reads files that hold keys, and refuses those that too many people may read or write.
import { readRegularFile } from '@tessera/runtime';
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
  const tooOpen = mayBeRead ? WRITABLE : TOO_OPEN;
  const reading = await readRegularFile(path, MOST_BYTES, {
    distrust: ({ mode }) => faultOfMode(mode, tooOpen, path),
  });
  if ('content' in reading) return reading.content;
  throw unusable(`${path} ${reading.fault}`, reading.cause);
}

function faultOfMode(mode: number, tooOpen: number, path: string): string | undefined {
  if ((mode & tooOpen) === 0) return undefined;
  const shown = (mode & 0o7777).toString(8).padStart(4, '0');
  return `has mode ${shown}, which lets others at it: chmod 600 ${path}`;
}
