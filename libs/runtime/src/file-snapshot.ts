// Detects changes of files by their state: device, inode, size and times. Watchers of the system miss changes on network
// file systems and mounts.
import { stat } from 'node:fs/promises';

/** The state of some files at one time. */
export class FileSnapshot {
  private constructor(private readonly states: ReadonlyMap<string, string>) {}

  /** Never fails: a file may be missing, or a link, which is followed. To detect every change, take it before you read the files. */
  static async take(paths: readonly string[]): Promise<FileSnapshot> {
    const unique = [...new Set(paths)];
    const states = await Promise.all(unique.map(stateOf));
    return new FileSnapshot(new Map(unique.map((path, index) => [path, states[index] ?? ''])));
  }

  /** The files in both snapshots whose state differs. */
  changedSince(earlier: FileSnapshot): readonly string[] {
    const isChanged = ([path, state]: readonly [string, string]): boolean =>
      (earlier.states.get(path) ?? state) !== state;
    return [...this.states].filter(isChanged).map(([path]) => path);
  }

  /** The same state, with the files that only the other snapshot has. */
  withFilesOf(other: FileSnapshot): FileSnapshot {
    return new FileSnapshot(new Map([...other.states, ...this.states]));
  }
}

/** A text that differs when the file has changed or was replaced. */
async function stateOf(path: string): Promise<string> {
  try {
    const { dev, ino, size, mtimeNs, ctimeNs } = await stat(path, { bigint: true });
    return [dev, ino, size, mtimeNs, ctimeNs].join(' ');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return code ?? message;
  }
}
