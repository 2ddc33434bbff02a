// Owns which settings are in force: the ones of the start, and after each reload others, all at once or not at all. When
// there is a reload is decided elsewhere.
import type { CoreSettings } from '../core-settings.js';
import { freeze, readSettings, type LoadedSettings, type ReadSettings } from '../load-settings.js';
import type { Problem } from '../problem.js';
import { SettingsError } from '../settings-error.js';
import type { SettingsContext } from '../settings-context.js';
import { rulesProblems } from '../validation.js';
import { changedKeys, keepWhatNeedsARestart, revealedByKey } from './changes.js';
import { Derived, type Change, type Derivation, type Follower } from './derived.js';

/** Keys whose values differ from those that were read before. */
export interface ChangedKeys {
  /** All of them, in alphabetical order. */
  readonly changed: readonly string[];
  /** Those that count after a restart alone. */
  readonly restart: readonly string[];
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
    /** What was read last and found good, by key: restarts that are due do not show in it. */
    private accepted: ReadonlyMap<string, string>,
    private readonly readAgain: () => Promise<ReadSettings<T>>,
  ) {}

  /**
   * Loads settings and stands ready to load them again, from the same places.
   *
   * @throws SettingsError with every problem at once
   */
  static async load<T extends CoreSettings>(
    settingsClass: new () => T,
    context: SettingsContext,
  ): Promise<LiveSettings<T>> {
    const read = await readSettings(settingsClass, context);
    freeze(read.settings);
    await read.accept();
    const { onLocal: _, ...again } = context;
    return new LiveSettings(read, revealedByKey(read), () => readSettings(settingsClass, again));
  }

  /** Frozen. Ask anew for each piece of work: it is another object after a reload. */
  get current(): T {
    return this.read.settings;
  }

  /** How those in force came about. */
  get loaded(): LoadedSettings<T> {
    return this.read;
  }

  /** Paths whose change calls for a reload. */
  get files(): readonly string[] {
    return [...this.read.files, ...this.followers.flatMap(({ files }) => files)];
  }

  /** Makes something of the settings that is made anew when they change. @throws what making it throws */
  async derive<P, V>(derivation: Derivation<T, P, V>): Promise<Derived<T, V>> {
    const derived = await Derived.open(derivation, this.current);
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
   * @throws SettingsError with every problem, nothing being changed
   */
  async stage(): Promise<StagedSettings> {
    const next = await this.readAgain();
    this.refuseOther(next);
    const values = revealedByKey(next);
    const changed = changedKeys(this.accepted, values);
    const restart = keepWhatNeedsARestart(this.current, next, changed);
    this.check(next, restart);
    freeze(next.settings);
    const changes = await this.prepare(next);
    await next.accept();
    return {
      changed,
      restart,
      content: JSON.stringify([...values]),
      commit: () => {
        this.read = next;
        this.accepted = values;
        for (const change of changes) change.commit();
      },
      discard: () => {
        for (const change of changes) change.discard();
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
  private check({ settings, findings, applicationName }: ReadSettings<T>, restart: string[]): void {
    if (restart.length === 0) return;
    const problems = rulesProblems(settings, findings).map((problem) => ({
      ...problem,
      message: `${problem.message} (until the restart that ${restart.join(', ')} needs)`,
    }));
    if (problems.length > 0) throw new SettingsError(applicationName, problems);
  }

  private async prepare({ settings, applicationName }: ReadSettings<T>): Promise<Change[]> {
    const prepared = await Promise.allSettled(
      this.followers.map((follower) => follower.prepare(settings)),
    );
    const changes = prepared.flatMap((each) =>
      each.status === 'fulfilled' && each.value ? [each.value] : [],
    );
    const problems = prepared.flatMap((each) =>
      each.status === 'rejected' ? problemsOf(each.reason) : [],
    );
    if (problems.length === 0) return changes;
    for (const change of changes) change.discard();
    throw new SettingsError(applicationName, problems);
  }
}

function problemsOf(error: unknown): readonly Problem[] {
  if (error instanceof SettingsError) return error.problems;
  return [{ message: error instanceof Error ? error.message : String(error) }];
}
