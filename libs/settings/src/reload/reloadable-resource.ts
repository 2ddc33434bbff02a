// Owns what is made of settings and made anew when they change: which one counts, and when an old one may go.
import { fileStates } from '@tessera/runtime';
import { sameValues } from './same-values.js';

/** How something is made of settings. */
export interface ResourceFactory<T, P, V> {
  /** What of the settings it is made of; no other change makes it anew. */
  readonly of: (settings: T) => P;
  /**
   * Makes another one for new settings, beside the one in use, which it leaves as it is.
   *
   * @throws Error whose message is fit for the operator: the new settings are refused then, as a whole
   */
  readonly make: (part: P, settings: T) => V | Promise<V>;
  /** Files it is made of too: it is made anew when one of them has changed. */
  readonly files?: (part: P) => readonly string[];
  /** Is given one that nobody uses any more. What it throws, or rejects with, is told to nobody. */
  readonly retire?: (value: V) => unknown;
}

/** What is ready to take the place of what is in force. Exactly one of both is called, once. */
export interface Change {
  /** At once, and without fail: all that follows settings changes in the same breath. */
  readonly commit: () => void;
  readonly discard: () => void;
}

export interface Prepared extends Change {
  /** Those that changed, where nothing else calls for the change. */
  readonly files?: readonly string[];
}

/** Something that goes with the settings. */
export interface Follower<T> {
  /** Files whose change calls for a reload. */
  readonly files: readonly string[];
  /** Makes ready for the next settings; undefined where nothing changes. @throws Error where they cannot be used */
  prepare(next: T): Promise<Prepared | undefined>;
}

/** The one in force, and how many use it. */
interface Held<V> {
  readonly value: V;
  readonly files: readonly string[];
  readonly states: readonly string[];
  users: number;
  isRetired: boolean;
}

/** Something made of settings that is always the one of the settings in force. */
export class ReloadableResource<T, V> implements Follower<T> {
  private constructor(
    private held: Held<V>,
    private part: unknown,
    private readonly derivation: ResourceFactory<T, unknown, V>,
  ) {}

  static async open<T, P, V>(
    derivation: ResourceFactory<T, P, V>,
    settings: T,
  ): Promise<ReloadableResource<T, V>> {
    const part = derivation.of(settings);
    const erased = derivation as unknown as ResourceFactory<T, unknown, V>;
    return new ReloadableResource(await hold(erased, part, settings), part, erased);
  }

  /** For what takes no time. Who waits meanwhile calls {@link use}. */
  get value(): V {
    return this.held.value;
  }

  get files(): readonly string[] {
    return this.held.files;
  }

  /** Works with the one in force, which is not retired before the work is done. */
  async use<R>(work: (value: V) => Promise<R>): Promise<R> {
    const { held } = this;
    held.users += 1;
    try {
      return await work(held.value);
    } finally {
      held.users -= 1;
      if (held.isRetired) void this.retireUnused(held);
    }
  }

  async prepare(next: T): Promise<Prepared | undefined> {
    const part = this.derivation.of(next);
    const { files, states } = this.held;
    const isSame = sameValues(part, this.part);
    const now = isSame ? await fileStates(files) : states;
    const changedFiles = files.filter((_, index) => now[index] !== states[index]);
    if (isSame && changedFiles.length === 0) return undefined;
    const held = await hold(this.derivation, part, next);
    return {
      files: changedFiles,
      commit: () => {
        const old = this.held;
        this.held = held;
        this.part = part;
        void this.retire(old);
      },
      discard: () => void this.retire(held),
    };
  }

  /** Retires the last one too. */
  close(): Promise<void> {
    return this.retire(this.held);
  }

  private async retire(held: Held<V>): Promise<void> {
    held.isRetired = true;
    await this.retireUnused(held);
  }

  private async retireUnused({ value, users }: Held<V>): Promise<void> {
    if (users > 0) return;
    try {
      await this.derivation.retire?.(value);
    } catch {
      // It is out of use, whatever becomes of it.
    }
  }
}

async function hold<T, V>(
  { make, files: filesOf }: ResourceFactory<T, unknown, V>,
  part: unknown,
  settings: T,
): Promise<Held<V>> {
  const files = filesOf?.(part) ?? [];
  // Asked before they are read: what is written meanwhile changes them once more.
  const states = await fileStates(files);
  return { value: await make(part, settings), files, states, users: 0, isRetired: false };
}
