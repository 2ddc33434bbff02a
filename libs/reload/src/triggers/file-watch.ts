// Owns whether files have changed, and when they stand still. Who looks at them, and how often, is decided elsewhere.
import { setTimeout as sleep } from 'node:timers/promises';
import { fileStates } from '@tessera/runtime';

/** Editors write in steps: empty it, write it, rename it. In milliseconds. */
const STILLNESS = 100;
/** Whoever writes without end is not waited for. */
const MOST_LOOKS = 50;

type States = ReadonlyMap<string, string>;

export class FileWatch {
  private constructor(
    private readonly files: () => readonly string[],
    private known: States,
  ) {}

  /** @param files paths, asked each time; they need not exist, and may be links */
  static async open(files: () => readonly string[]): Promise<FileWatch> {
    return new FileWatch(files, await statesOf(files()));
  }

  /** Calls `onChange` where a file has changed since the last look, when it stands still. New paths are only learnt. */
  async look(onChange: () => Promise<unknown>): Promise<void> {
    const states = await statesOf(this.files());
    if (!differ(this.known, states)) {
      this.known = states;
      return;
    }
    this.known = await this.standingStill(states);
    await onChange();
    this.known = new Map([...(await statesOf(this.files())), ...this.known]);
  }

  private async standingStill(states: States): Promise<States> {
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
