// Owns whether files have changed, and when they stand still. Who looks at them, and how often, is decided elsewhere.
import { setTimeout as sleep } from 'node:timers/promises';
import { fileStates } from '@tessera/runtime';
import type { ReloadOutcome } from '../reload-outcome.js';

/** Editors write in steps: empty it, write it, rename it. In milliseconds. */
const STILLNESS = 500;
/** Whoever writes without end is not waited for. */
const MOST_LOOKS = 10;

type States = ReadonlyMap<string, string>;

export class FileWatch {
  /** As they were when they were read last and found good. */
  private accepted: States;

  private constructor(
    private readonly files: () => readonly string[],
    private known: States,
  ) {
    this.accepted = known;
  }

  /** @param files paths, asked each time; they need not exist, and may be links */
  static async open(files: () => readonly string[]): Promise<FileWatch> {
    return new FileWatch(files, await statesOf(files()));
  }

  /** Whether files were read since they changed, and what was read was refused. */
  get isRefused(): boolean {
    return differ(this.accepted, this.known);
  }

  /** Calls `onChange` where a file has changed since it was read, when it stands still. New paths are only learnt. */
  async look(onChange: () => Promise<unknown>): Promise<void> {
    const states = await statesOf(this.files());
    const still = differ(this.known, states) ? await this.debounce(states) : states;
    // Somebody else may have had them read meanwhile.
    const isChange = differ(this.known, still);
    this.known = still;
    if (isChange) await onChange();
  }

  /** Runs a reload, whoever asked for it: files that change before it are read by it. */
  async during(reload: () => Promise<ReloadOutcome>): Promise<ReloadOutcome> {
    const before = await statesOf(this.files());
    this.known = before;
    const outcome = await reload();
    // Files that it names for the first time.
    const after = await statesOf(this.files());
    this.known = new Map([...after, ...this.known]);
    if (!('problems' in outcome)) this.accepted = new Map([...after, ...before]);
    return outcome;
  }

  private async debounce(states: States): Promise<States> {
    let last = states;
    for (let look = 1; look <= MOST_LOOKS; look += 1) {
      await sleep(STILLNESS, undefined, { ref: false });
      const next = await statesOf(this.files());
      if (!differ(last, next)) return next;
      last = next;
    }
    return last;
  }
}

async function statesOf(files: readonly string[]): Promise<States> {
  const paths = [...new Set(files)];
  const states = await fileStates(paths);
  return new Map(paths.map((path, index) => [path, states[index] ?? '']));
}

function differ(before: States, after: States): boolean {
  return [...after].some(([path, state]) => (before.get(path) ?? state) !== state);
}
