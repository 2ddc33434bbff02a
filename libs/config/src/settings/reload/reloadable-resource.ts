// Something made of settings, such as a client or a key ring, that a reload replaces when those settings change.
import { FileSnapshot } from '@tessera/runtime';
import { sameValues } from './same-values.js';

/** Makes a resource of settings. */
export interface ResourceFactory<T, P, V> {
  /** The settings that it is made of; changes of others do not replace it. */
  readonly of: (settings: T) => P;
  /**
   * Makes a new resource beside the current one.
   *
   * @throws Error whose message is fit for the operator; the whole reload is refused then
   */
  readonly make: (part: P, settings: T) => V | Promise<V>;
  /** Files that it is made of; a change of one replaces the resource. */
  readonly files?: (part: P) => readonly string[];
  /** Closes a resource that has no users left. Its errors are ignored. */
  readonly retire?: (value: V) => unknown;
}

/** A prepared change: `commit()` or `discard()`, exactly one of them, once. */
export interface Change {
  /** Takes effect at once and never fails, so that everything that follows settings changes together. */
  readonly commit: () => void;
  readonly discard: () => void;
}

export interface Prepared extends Change {
  /** The changed files, when no setting calls for the change. */
  readonly files?: readonly string[];
}

/** Something that follows the settings. */
export interface Follower<T> {
  /** Files whose change starts a reload. */
  readonly files: readonly string[];
  /** Prepares for the next settings; undefined when nothing changes. @throws Error when it cannot use them */
  prepare(next: T): Promise<Prepared | undefined>;
}

interface Resource<V> {
  readonly value: V;
  readonly files: readonly string[];
  readonly snapshot: FileSnapshot;
  userCount: number;
  isRetired: boolean;
}

/** A resource that is always made of the current settings. */
export class ReloadableResource<T, V> implements Follower<T> {
  private constructor(
    private current: Resource<V>,
    private part: unknown,
    private readonly factory: ResourceFactory<T, unknown, V>,
  ) {}

  static async open<T, P, V>(
    factory: ResourceFactory<T, P, V>,
    settings: T,
  ): Promise<ReloadableResource<T, V>> {
    const part = factory.of(settings);
    const erased = factory as unknown as ResourceFactory<T, unknown, V>;
    return new ReloadableResource(await makeResource(erased, part, settings), part, erased);
  }

  /** For synchronous use. Asynchronous callers use {@link use}. */
  get value(): V {
    return this.current.value;
  }

  get files(): readonly string[] {
    return this.current.files;
  }

  /** Runs `work` with the current value, which stays open until the work is done. */
  async use<R>(work: (value: V) => Promise<R>): Promise<R> {
    const { current } = this;
    current.userCount += 1;
    try {
      return await work(current.value);
    } finally {
      current.userCount -= 1;
      if (current.isRetired) void this.closeUnused(current);
    }
  }

  async prepare(next: T): Promise<Prepared | undefined> {
    const part = this.factory.of(next);
    const { files, snapshot } = this.current;
    const isSame = sameValues(part, this.part);
    const changedFiles = isSame ? (await FileSnapshot.take(files)).changedSince(snapshot) : [];
    if (isSame && changedFiles.length === 0) return undefined;
    const resource = await makeResource(this.factory, part, next);
    return {
      files: changedFiles,
      commit: () => {
        const old = this.current;
        this.current = resource;
        this.part = part;
        void this.retire(old);
      },
      discard: () => void this.retire(resource),
    };
  }

  /** Retires the current value. */
  close(): Promise<void> {
    return this.retire(this.current);
  }

  private async retire(resource: Resource<V>): Promise<void> {
    resource.isRetired = true;
    await this.closeUnused(resource);
  }

  private async closeUnused({ value, userCount }: Resource<V>): Promise<void> {
    if (userCount > 0) return;
    try {
      await this.factory.retire?.(value);
    } catch {
      // Nothing uses it any more.
    }
  }
}

async function makeResource<T, V>(
  { make, files: filesOf }: ResourceFactory<T, unknown, V>,
  part: unknown,
  settings: T,
): Promise<Resource<V>> {
  const files = filesOf?.(part) ?? [];
  // Taken before the files are read, so that a change during the reading counts.
  const snapshot = await FileSnapshot.take(files);
  return { value: await make(part, settings), files, snapshot, userCount: 0, isRetired: false };
}
