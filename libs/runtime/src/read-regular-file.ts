// Owns the reading of files that somebody names: what is no file, or has no end, keeps nobody waiting. What stands in them
// is for those who ask.
import { constants, type Stats } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';

/** Without O_NONBLOCK a named pipe would keep us waiting for its other end. Windows knows neither flag. */
const READ = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);
const FOLLOW_NO_LINK = constants.O_NOFOLLOW ?? 0;

/** What a file holds, or what is wrong with it: reads on from its path, and quotes nothing of it. */
export type FileReading =
  { readonly content: Buffer } | { readonly fault: string; readonly cause?: unknown };

/** What is asked of a file besides. */
export interface FileRules {
  /** Whether a link is refused; else it is followed. */
  readonly refusesLinks?: boolean;
  /** What is wrong with what was opened: a file that takes its name afterwards is not read. */
  readonly distrust?: (stats: Stats) => string | undefined;
}

/** The content of a regular file. Never fails. @param mostBytes that it may have, however it grows while it is read */
export async function readRegularFile(
  path: string,
  mostBytes: number,
  { refusesLinks = false, distrust }: FileRules = {},
): Promise<FileReading> {
  let handle: FileHandle | undefined;
  try {
    handle = await open(path, refusesLinks ? READ | FOLLOW_NO_LINK : READ);
    const stats = await handle.stat();
    if (!stats.isFile()) return { fault: 'is no regular file' };
    if (stats.size > mostBytes) return tooLarge(mostBytes);
    const fault = distrust?.(stats);
    if (fault !== undefined) return { fault };
    const content = await firstBytes(handle, mostBytes + 1);
    return content.length > mostBytes ? tooLarge(mostBytes) : { content };
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (refusesLinks && code === 'ELOOP') return { fault: 'is a link', cause };
    return { fault: `cannot be read${code === undefined ? '' : ` (${code})`}`, cause };
  } finally {
    await handle?.close();
  }
}

function tooLarge(mostBytes: number): FileReading {
  return { fault: `has more than ${mostBytes} bytes` };
}

/** In one buffer, so that who reads a secret can overwrite it. */
async function firstBytes(handle: FileHandle, most: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of handle.createReadStream({ end: most - 1, autoClose: false })) {
    chunks.push(chunk as Buffer);
  }
  const content = Buffer.concat(chunks);
  for (const chunk of chunks) chunk.fill(0);
  return content;
}
