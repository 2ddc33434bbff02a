// Owns the reading of a found file, with what tells it from another that takes its place, and whose it is.
import type { Stats } from 'node:fs';
import { readRegularFile } from '@tessera/runtime';
import { CliError } from '../cli-error.js';

const MOST_BYTES = 67_108_864;
const IDENTITY = ['dev', 'ino', 'mode', 'uid', 'gid'] as const;

/** What was read, and of which file: both by one opening, so that neither is another's. */
export interface ReadFile {
  readonly content: Buffer;
  readonly stats: Stats;
}

/** @param path of no link: whatever one leads to by now was not found @throws CliError with the fault */
export async function readFoundFile(path: string): Promise<ReadFile> {
  let stats: Stats | undefined;
  const reading = await readRegularFile(path, MOST_BYTES, {
    refusesLinks: true,
    distrust: (opened) => {
      stats = opened;
      return undefined;
    },
  });
  if ('fault' in reading || stats === undefined) {
    throw new CliError('fault' in reading ? reading.fault : 'is no regular file');
  }
  return { content: reading.content, stats };
}

/** Whether a path leads to the same file still, which is whose it was and holds what it held. */
export async function isUnchanged(path: string, { content, stats }: ReadFile): Promise<boolean> {
  const now = await readFoundFile(path);
  return IDENTITY.every((each) => now.stats[each] === stats[each]) && now.content.equals(content);
}
