// Detects changed files, and waits until they stop changing.
import { setTimeout as sleep } from 'node:timers/promises';
import { FileSnapshot } from '@tessera/runtime';
import type { ReloadOutcome } from '../reload-outcome.js';

/** In milliseconds. Editors write in steps: they empty a file, write it, rename it. */
const DEBOUNCE = 500;
/** A file that is written without end is read all the same. */
const MAX_DEBOUNCES = 10;

export class FileWatch {
  /** At the last reload without problems. */
  private accepted: FileSnapshot;

  private constructor(
    private readonly files: () => readonly string[],
    private known: FileSnapshot,
  ) {
    this.accepted = known;
  }

  /** @param files paths, read at each check; they may be missing, or links */
  static async open(files: () => readonly string[]): Promise<FileWatch> {
    return new FileWatch(files, await FileSnapshot.take(files()));
  }

  /** Whether the last reload of changed files had problems. */
  get isRefused(): boolean {
    return isChanged(this.accepted, this.known);
  }

  /** Calls `onChange` when a file has changed since it was read, and has stopped changing. A new path alone is no change. */
  async check(onChange: () => Promise<unknown>): Promise<void> {
    const snapshot = await FileSnapshot.take(this.files());
    const settled = isChanged(this.known, snapshot) ? await this.debounce(snapshot) : snapshot;
    // Another reload may have read the files during the wait.
    const hasChanged = isChanged(this.known, settled);
    this.known = settled;
    if (hasChanged) await onChange();
  }

  /** Runs a reload and records the state of the files that it reads. */
  async during(reload: () => Promise<ReloadOutcome>): Promise<ReloadOutcome> {
    const before = await FileSnapshot.take(this.files());
    this.known = before;
    const outcome = await reload();
    // The new settings may name further files.
    const after = await FileSnapshot.take(this.files());
    this.known = this.known.withFilesOf(after);
    if (!('problems' in outcome)) this.accepted = before.withFilesOf(after);
    return outcome;
  }

  private async debounce(snapshot: FileSnapshot): Promise<FileSnapshot> {
    let last = snapshot;
    for (let wait = 1; wait <= MAX_DEBOUNCES; wait += 1) {
      await sleep(DEBOUNCE, undefined, { ref: false });
      const next = await FileSnapshot.take(this.files());
      if (!isChanged(last, next)) return next;
      last = next;
    }
    return last;
  }
}

function isChanged(before: FileSnapshot, after: FileSnapshot): boolean {
  return after.changedSince(before).length > 0;
}
