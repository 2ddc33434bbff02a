// The current settings: those of the start, and after each reload the new ones, all at once or not at all.
import type { CoreSettings } from '../core-settings.js';
import { freeze, readSettings } from '../load-settings.js';
import type { LoadedSettings, ReadSettings } from '../loaded-settings.js';
import type { ReportedViolation } from '../violation.js';
import { SecretMasker } from '../protection/secret-masker.js';
import { SettingsError } from '../settings-error.js';
import type { SettingsContext } from '../settings-context.js';
import type { FilesRead } from '../sources/file-contents.js';
import { checkRules } from '../validation.js';
import { changedKeys, keepRestartSettings, plaintextByKey } from './changes.js';
import { explainCurrent, type ExplainedCurrentSetting } from './current-settings-explanation.js';
import { followerError } from './follower-errors.js';
import { parseSnapshot, serializeSnapshot, currentWritten, type Snapshot } from './snapshot.js';
import {
  ReloadableResource,
  type Change,
  type ResourceFactory,
  type Follower,
  type Prepared,
} from './reloadable-resource.js';

/** Keys whose values differ from those of the last reading. */
export interface ChangedKeys {
  /** In alphabetical order, without keys that are back at their current value. */
  readonly changed: readonly string[];
  /** Keys whose changes, from this reload or an earlier one, need a restart. */
  readonly restart: readonly string[];
  /** Changed files that settings name, of resources that only these files changed. */
  readonly files?: readonly string[];
}

/** New valid settings for which all followers are prepared. */
export interface StagedSettings extends ChangedKeys, Change {
  /**
   * All values as text, including secrets: equal texts mean equal settings. Must not be shown, stored or sent to other
   * machines.
   */
  readonly content: string;
}

/** Settings that can be reloaded in two steps: `stage()`, then `commit()` or `discard()`. */
export class LiveSettings<T extends CoreSettings> {
  private readonly followers: Follower<T>[] = [];
  private readonly listeners: ((changes: ChangedKeys) => void)[] = [];

  private constructor(
    private currentReading: ReadSettings<T>,
    private currentSnapshot: Snapshot,
    private readonly reread: (
      snapshot: Snapshot | undefined,
      before: FilesRead,
    ) => Promise<ReadSettings<T>>,
  ) {}

  /**
   * Loads settings, which can be reloaded from the same sources.
   *
   * @param snapshotText the {@link snapshot} of another process of this program, which replaces the sources
   * @throws SettingsError with all violations
   */
  static async load<T extends CoreSettings>(
    settingsClass: new () => T,
    context: SettingsContext,
    snapshotText?: string,
  ): Promise<LiveSettings<T>> {
    const snapshot = snapshotText === undefined ? undefined : parseSnapshot(snapshotText);
    const read = await readSettings(settingsClass, context, snapshot);
    freeze(read.settings);
    await read.accept();
    const current = { written: read.findings.written, accepted: plaintextByKey(read), ...snapshot };
    const { onLocal: _, ...again } = context;
    return new LiveSettings(read, current, (...from) =>
      readSettings(settingsClass, again, ...from),
    );
  }

  /** Frozen. A reload replaces the object: read it again for each request. */
  get current(): T {
    return this.currentReading.settings;
  }

  /** The current settings with their origins. */
  get loaded(): LoadedSettings<T> {
    return this.currentReading;
  }

  /** The current settings for display, secrets masked, with those that wait for a restart. */
  explain(): readonly ExplainedCurrentSetting[] {
    return explainCurrent(this.currentReading, this.currentSnapshot);
  }

  /**
   * The current settings as text, for {@link load} and {@link stage} of another process. Contains secrets: must not be
   * shown or stored.
   */
  get snapshot(): string {
    return serializeSnapshot(this.currentSnapshot);
  }

  /** Paths whose change triggers a reload. */
  get files(): readonly string[] {
    return [...this.currentReading.files, ...this.followers.flatMap(({ files }) => files)];
  }

  /** Runs work with the current settings, and masks protected values in the message of an error that it throws. */
  guard<R>(work: () => R | Promise<R>): Promise<R> {
    return new SecretMasker(this.currentSnapshot.written.values()).guard(work);
  }

  /** Creates a resource from the settings and recreates it when they change. @throws errors of the factory */
  async derive<P, V>(factory: ResourceFactory<T, P, V>): Promise<ReloadableResource<T, V>> {
    const resource = await ReloadableResource.open(factory, this.current);
    this.followers.push(resource);
    return resource;
  }

  /** Adds a follower, which prepares for new settings before they become current. */
  follow(follower: Follower<T>): void {
    this.followers.push(follower);
  }

  /** @param listener called with each change, when it has become current */
  onChange(listener: (changes: ChangedKeys) => void): void {
    this.listeners.push(listener);
  }

  /**
   * Reloads the settings and prepares all followers. Nothing changes before `commit`. Only one change may be staged at a
   * time.
   *
   * @param snapshotText the {@link snapshot} of another process of this program, which replaces the sources
   * @throws SettingsError with all violations; then nothing has changed
   */
  async stage(snapshotText?: string): Promise<StagedSettings> {
    const snapshot = snapshotText === undefined ? undefined : parseSnapshot(snapshotText);
    const next = await this.reread(snapshot, this.currentReading.filesRead);
    try {
      return await this.prepareChange(next, snapshot);
    } catch (error) {
      next.discard();
      throw error;
    }
  }

  private async prepareChange(next: ReadSettings<T>, snapshot?: Snapshot): Promise<StagedSettings> {
    this.rejectOtherIdentity(next);
    const values = snapshot?.accepted ?? plaintextByKey(next);
    keepRestartSettings(this.current, next);
    const restart = changedKeys(plaintextByKey(next), values);
    const unlikeCurrent = new Set(changedKeys(plaintextByKey(this.currentReading), values));
    const written = currentWritten(this.currentSnapshot.written, this.current, next);
    this.checkUntilRestart(next, restart, written);
    freeze(next.settings);
    const secrets = new SecretMasker(written.values());
    const changes = await this.prepareFollowers(next, secrets);
    const changed = changedKeys(this.currentSnapshot.accepted, values).filter((key) =>
      unlikeCurrent.has(key),
    );
    const files = [...new Set(changes.flatMap((change) => change.files ?? []))]
      .toSorted()
      .map((file) => secrets.mask(file));
    return {
      changed,
      restart,
      files,
      content: JSON.stringify([...values]),
      commit: () => {
        this.currentReading = next;
        this.currentSnapshot = { written, accepted: values };
        void next.accept();
        for (const change of changes) change.commit();
        if (changed.length + files.length === 0) return;
        for (const listener of this.listeners) listener({ changed, restart, files });
      },
      discard: () => {
        for (const change of changes) change.discard();
        next.discard();
      },
    };
  }

  /** Application name, profiles and directory decide what is read: only a restart can change them. */
  private rejectOtherIdentity({ settings, applicationName }: ReadSettings<T>): void {
    const early = {
      'application.name': [this.current.applicationName, settings.applicationName],
      'profiles.active': [this.current.profiles.join(), settings.profiles.join()],
      'settings.location': [this.current.settingsLocation, settings.settingsLocation],
    };
    const violations = Object.entries(early).flatMap(
      ([key, [before, after]]): ReportedViolation[] =>
        before === after ? [] : [{ key, message: 'can only change at a restart' }],
    );
    if (violations.length > 0) throw new SettingsError(applicationName, violations);
  }

  /** Checks the rules again: settings that need a restart keep their current values. */
  private checkUntilRestart(
    { settings, findings, applicationName }: ReadSettings<T>,
    restart: string[],
    written: Snapshot['written'],
  ): void {
    if (restart.length === 0) return;
    const violations = checkRules(settings, { ...findings, written }).map((violation) => ({
      ...violation,
      message: `${violation.message} (until the restart that ${restart.join(', ')} needs)`,
    }));
    if (violations.length > 0) throw new SettingsError(applicationName, violations);
  }

  private async prepareFollowers(
    next: ReadSettings<T>,
    secrets: SecretMasker,
  ): Promise<Prepared[]> {
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
    throw followerError(applicationName, errors, (key) => next.origins(key), secrets);
  }
}
