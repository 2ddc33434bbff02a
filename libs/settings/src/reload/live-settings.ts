// Owns which settings are in force: the ones of the start, and after each reload others, all at once or not at all. When
// there is a reload is decided elsewhere.
import type { CoreSettings } from '../core-settings.js';
import { freeze, readSettings } from '../load-settings.js';
import type { LoadedSettings, ReadSettings } from '../loaded-settings.js';
import type { Problem } from '../problem.js';
import { ProtectedTexts } from '../protection/protected-texts.js';
import { SettingsError } from '../settings-error.js';
import type { SettingsContext } from '../settings-context.js';
import type { FilesRead } from '../sources/files-read.js';
import { rulesProblems } from '../validation.js';
import { changedKeys, keepWhatNeedsARestart, revealedByKey } from './changes.js';
import { followersProblems } from './followers-problems.js';
import { readSnapshot, snapshotText, writtenInForce, type Snapshot } from './snapshot.js';
import {
  ReloadableResource,
  type Change,
  type ResourceFactory,
  type Follower,
  type Prepared,
} from './reloadable-resource.js';

/** Keys whose values differ from those that were read before. */
export interface ChangedKeys {
  /** In alphabetical order. One that is back at the value in force has not changed. */
  readonly changed: readonly string[];
  /** Whose values, changed now or before, count after a restart alone. */
  readonly restart: readonly string[];
  /** Files that settings name, where they changed and no such setting did: what is made of them was made anew. */
  readonly files?: readonly string[];
}

/** New settings that are valid, and that everybody is ready for. */
export interface StagedSettings extends ChangedKeys, Change {
  /** Of all settings, secrets included: the same text for the same settings alone. Not to be shown, kept or sent far. */
  readonly content: string;
}

export class LiveSettings<T extends CoreSettings> {
  private readonly followers: Follower<T>[] = [];

  private constructor(
    private read: ReadSettings<T>,
    private held: Snapshot,
    private readonly readAgain: (
      snapshot: Snapshot | undefined,
      before: FilesRead,
    ) => Promise<ReadSettings<T>>,
  ) {}

  /**
   * Loads settings and stands ready to load them again, from the same places.
   *
   * @param inForce as another process of this program has them: in place of what the sources say now
   * @throws SettingsError with every problem at once
   */
  static async load<T extends CoreSettings>(
    settingsClass: new () => T,
    context: SettingsContext,
    inForce?: string,
  ): Promise<LiveSettings<T>> {
    const snapshot = inForce === undefined ? undefined : readSnapshot(inForce);
    const read = await readSettings(settingsClass, context, snapshot);
    freeze(read.settings);
    await read.accept();
    const held = { written: read.findings.written, accepted: revealedByKey(read), ...snapshot };
    const { onLocal: _, ...again } = context;
    return new LiveSettings(read, held, (...from) => readSettings(settingsClass, again, ...from));
  }

  /** Frozen. Ask anew for each piece of work: it is another object after a reload. */
  get current(): T {
    return this.read.settings;
  }

  /** How those in force came about. */
  get loaded(): LoadedSettings<T> {
    return this.read;
  }

  /** Those in force as text, for {@link load} and {@link stage} of another process: secrets included, not to be shown or kept. */
  get inForce(): string {
    return snapshotText(this.held);
  }

  /** Paths whose change calls for a reload. */
  get files(): readonly string[] {
    return [...this.read.files, ...this.followers.flatMap(({ files }) => files)];
  }

  /** Does work with the settings in force. The message of an error that it throws holds no protected value. */
  guard<R>(work: () => R | Promise<R>): Promise<R> {
    return new ProtectedTexts(this.held.written.values()).guard(work);
  }

  /** Makes something of the settings that is made anew when they change. @throws what making it throws */
  async derive<P, V>(derivation: ResourceFactory<T, P, V>): Promise<ReloadableResource<T, V>> {
    const derived = await ReloadableResource.open(derivation, this.current);
    this.followers.push(derived);
    return derived;
  }

  /** Follows by itself: it is asked to make ready for new settings before they count. */
  follow(follower: Follower<T>): void {
    this.followers.push(follower);
  }

  /**
   * Loads the settings anew, and has everything made ready that is made of them. Nothing changes before `commit`. Stage
   * one at a time.
   *
   * @param inForce as another process of this program has them: in place of what the sources say now
   * @throws SettingsError with every problem, nothing being changed
   */
  async stage(inForce?: string): Promise<StagedSettings> {
    const snapshot = inForce === undefined ? undefined : readSnapshot(inForce);
    const next = await this.readAgain(snapshot, this.read.filesRead);
    try {
      return await this.makeReady(next, snapshot);
    } catch (error) {
      next.discard();
      throw error;
    }
  }

  private async makeReady(next: ReadSettings<T>, snapshot?: Snapshot): Promise<StagedSettings> {
    this.refuseOther(next);
    const values = snapshot?.accepted ?? revealedByKey(next);
    keepWhatNeedsARestart(this.current, next);
    const restart = changedKeys(revealedByKey(next), values);
    const unlikeInForce = new Set(changedKeys(revealedByKey(this.read), values));
    const written = writtenInForce(this.held.written, this.current, next);
    this.check(next, restart, written);
    freeze(next.settings);
    const secrets = new ProtectedTexts(written.values());
    const changes = await this.prepare(next, secrets);
    return {
      changed: changedKeys(this.held.accepted, values).filter((key) => unlikeInForce.has(key)),
      restart,
      files: [...new Set(changes.flatMap(({ files = [] }) => files))]
        .toSorted()
        .map((file) => secrets.mask(file)),
      content: JSON.stringify([...values]),
      commit: () => {
        this.read = next;
        this.held = { written, accepted: values };
        void next.accept();
        for (const change of changes) change.commit();
      },
      discard: () => {
        for (const change of changes) change.discard();
        next.discard();
      },
    };
  }

  /** What was read for other profiles, or from another directory, says nothing of this program. */
  private refuseOther({ settings, applicationName }: ReadSettings<T>): void {
    const early = {
      'application.name': [this.current.applicationName, settings.applicationName],
      'profiles.active': [this.current.profiles.join(), settings.profiles.join()],
      'settings.location': [this.current.settingsLocation, settings.settingsLocation],
    };
    const problems = Object.entries(early).flatMap(([key, [before, after]]): Problem[] =>
      before === after ? [] : [{ key, message: 'changes at a restart alone' }],
    );
    if (problems.length > 0) throw new SettingsError(applicationName, problems);
  }

  /** They are valid as they were read; but some do not count before a restart. */
  private check(
    { settings, findings, applicationName }: ReadSettings<T>,
    restart: string[],
    written: Snapshot['written'],
  ): void {
    if (restart.length === 0) return;
    const problems = rulesProblems(settings, { ...findings, written }).map((problem) => ({
      ...problem,
      message: `${problem.message} (until the restart that ${restart.join(', ')} needs)`,
    }));
    if (problems.length > 0) throw new SettingsError(applicationName, problems);
  }

  private async prepare(next: ReadSettings<T>, secrets: ProtectedTexts): Promise<Prepared[]> {
    const { settings, applicationName } = next;
    const prepared = await Promise.allSettled(
      this.followers.map((follower) => secrets.guard(() => follower.prepare(settings))),
    );
    const changes = prepared.flatMap((each) =>
      each.status === 'fulfilled' && each.value ? [each.value] : [],
    );
    const errors = prepared.flatMap((each): unknown[] =>
      each.status === 'rejected' ? [each.reason] : [],
    );
    if (errors.length === 0) return changes;
    for (const change of changes) change.discard();
    throw followersProblems(applicationName, errors, (key) => next.origins(key), secrets);
  }
}
