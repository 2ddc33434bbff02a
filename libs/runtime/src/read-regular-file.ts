// Reads a regular file, up to a maximum size.
import { constants, type Stats } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';

/** Without O_NONBLOCK, opening a named pipe waits for its other end. Windows has neither flag. */
const READ = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);
const FOLLOW_NO_LINK = constants.O_NOFOLLOW ?? 0;

/** The content of a file, or an error text that follows its path and quotes nothing of the content. */
export type FileReading =
  { readonly content: Buffer } | { readonly error: string; readonly cause?: unknown };

/** Further requirements. */
export interface FileRules {
  /** Refuses links; by default they are followed. */
  readonly refusesLinks?: boolean;
  /** Checks the opened file, so that a file that replaces it later is not read. Returns an error text. */
  readonly check?: (stats: Stats) => string | undefined;
}

/** Reads a regular file. Never fails. @param mostBytes the maximum size, also of a file that grows during the reading */
export async function readRegularFile(
  path: string,
  mostBytes: number,
  { refusesLinks = false, check }: FileRules = {},
): Promise<FileReading> {
  let handle: FileHandle | undefined;
  try {
    handle = await open(path, refusesLinks ? READ | FOLLOW_NO_LINK : READ);
    const stats = await handle.stat();
    if (!stats.isFile()) return { error: 'is no regular file' };
    if (stats.size > mostBytes) return tooLarge(mostBytes);
    const error = check?.(stats);
    if (error !== undefined) return { error };
    const content = await firstBytes(handle, mostBytes + 1);
    return content.length > mostBytes ? tooLarge(mostBytes) : { content };
  } catch (cause) {
    const isLink = refusesLinks && (cause as NodeJS.ErrnoException).code === 'ELOOP';
    return { error: isLink ? 'is a link' : describeReadError(cause), cause };
  } finally {
    await handle?.close();
  }
}

/** Why a file or directory cannot be read, to follow its path. */
export function describeReadError(error: unknown): string {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') return 'does not exist';
  return `cannot be read${code === undefined ? '' : ` (${code})`}`;
}

function tooLarge(mostBytes: number): FileReading {
  return { error: `has more than ${mostBytes} bytes` };
}

/** Returns one buffer, so that the caller can overwrite a secret. */
async function firstBytes(handle: FileHandle, most: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of handle.createReadStream({ end: most - 1, autoClose: false })) {
    chunks.push(chunk as Buffer);
  }
  const content = Buffer.concat(chunks);
  for (const chunk of chunks) chunk.fill(0);
  return content;
}
