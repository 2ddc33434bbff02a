// Finds the server process of an embedded PostgreSQL by its data directory.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { treeOf } from './process-table.js';

/** @param folder the directory of the embedded PostgreSQL */
export function postmasterOf(folder: string): number {
  return Number.parseInt(readFileSync(join(folder, 'data/postmaster.pid'), 'utf8'), 10);
}

/** Whether another server than `victim` runs. */
export function hasNewPostmaster(folder: string, victim: number): boolean {
  try {
    const found = postmasterOf(folder);
    return found !== victim && treeOf(found).length > 1;
  } catch {
    return false;
  }
}
