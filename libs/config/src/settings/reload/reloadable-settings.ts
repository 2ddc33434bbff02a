// The current settings of a process: those of the start, and after each reload the new ones, all at once or not at all.
import { FileSnapshot } from '@tessera/runtime';
import type { CoreSettings } from '../core-settings.js';
import { freeze, readSettings } from '../load-settings.js';
import type { LoadedSettings, ReadSettings } from '../loaded-settings.js';
import type { ReportedViolation } from '../violation.js';
import { SecretMasker } from '../protection/secret-masker.js';
import { SettingsError } from '../settings-error.js';
import type { SettingsContext } from '../settings-context.js';
import type { FilesRead } from '../sources/file-contents.js';
import { checkRules } from '../validation.js';
import { applicationError } from './application-error.js';
import { changedKeys, keepRestartSettings, plaintextByKey } from './changes.js';
import { explainCurrent, type ExplainedCurrentSetting } from './current-settings-explanation.js';
import { parseSnapshot, serializeSnapshot, currentRawValues, type Snapshot } from './snapshot.js';

/** Keys whose values differ from those of the last reading. */
export interface ChangedKeys {
  /** In alphabetical order, without keys that are back at their current value. */
  readonly changed: readonly string[];
  /** Keys whose changes, from this reload or an earlier one, need a restart. */
  readonly restart: readonly string[];
  /** Changed files that settings name, where there are any. */
  readonly files?: readonly string[];
}

/** A prepared change: `commit()` or `discard()`, exactly one of them, once. */
export interface Change {
  /** Takes effect at once and never fails. */
  readonly commit: () => void;
  readonly discard: () => void;
}

/** Makes the process ready for new settings. @throws Error when it cannot use them */
export type PrepareSettings<T> = (settings: T) => Promise<Change>;

/** New valid settings that are not yet current. */
export interface StagedSettings extends ChangedKeys, Change {}

/** Settings that can be reloaded in two steps: `stage()`, then `commit()` or `discard()`. */
export class ReloadableSettings<T extends CoreSettings> {
  private readonly listeners: ((changes: ChangedKeys, before: T) => void)[] = [];

  private constructor(
    private currentReading: ReadSettings<T>,
    private currentSnapshot: Snapshot,
    /** Of the files that the current settings name. */
    private currentFiles: FileSnapshot,
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
  ): Promise<ReloadableSettings<T>> {
    const snapshot = snapshotText === undefined ? undefined : parseSnapshot(snapshotText);
    const read = await readSettings(settingsClass, context, snapshot);
    freeze(read.settings);
    // Taken before the application reads the files, so that a change during its start counts.
    const files = await FileSnapshot.take(read.settings.files);
    await read.accept();
    const current = {
      rawValues: read.validationInput.rawValues,
      accepted: plaintextByKey(read),
      ...snapshot,
    };
    const { onLocal: _, ...again } = context;
    return new ReloadableSettings(read, current, files, (...from) =>
      readSettings(settingsClass, again, ...from),
    );
  }

  /** Frozen. A reload replaces the object. */
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
    return [...this.currentReading.files, ...this.current.files];
  }

  /** Runs work with the current settings, and masks protected values in the message of an error that it throws. */
  guard<R>(work: () => R | Promise<R>): Promise<R> {
    return new SecretMasker(this.currentSnapshot.rawValues.values()).guard(work);
  }

  /** @param listener called after each commit, with the settings before it */
  onCommit(listener: (changes: ChangedKeys, before: T) => void): void {
    this.listeners.push(listener);
  }

  /**
   * Reads the settings again, and prepares the process for them if anything has changed. Nothing changes before `commit`.
   * Only one change may be staged at a time.
   *
   * @param snapshotText the {@link snapshot} of another process of this program, which replaces the sources
   * @throws SettingsError with all violations; then nothing has changed
   */
  async stage(prepare: PrepareSettings<T>, snapshotText?: string): Promise<StagedSettings> {
    const snapshot = snapshotText === undefined ? undefined : parseSnapshot(snapshotText);
    const next = await this.reread(snapshot, this.currentReading.filesRead);
    try {
      return await this.stageReading(next, prepare, snapshot);
    } catch (error) {
      next.discard();
      throw error;
    }
  }

  private async stageReading(
    next: ReadSettings<T>,
    prepare: PrepareSettings<T>,
    snapshot?: Snapshot,
  ): Promise<StagedSettings> {
    this.rejectOtherIdentity(next);
    const values = snapshot?.accepted ?? plaintextByKey(next);
    keepRestartSettings(this.current, next);
    const restart = changedKeys(plaintextByKey(next), values);
    const unlikeCurrent = changedKeys(plaintextByKey(this.currentReading), values);
    const rawValues = currentRawValues(this.currentSnapshot.rawValues, this.current, next);
    this.checkUntilRestart(next, restart, rawValues);
    freeze(next.settings);
    const changed = changedKeys(this.currentSnapshot.accepted, values).filter((key) =>
      unlikeCurrent.includes(key),
    );
    const secrets = new SecretMasker(rawValues.values());
    const snapshotOfFiles = await FileSnapshot.take(next.settings.files);
    const files = snapshotOfFiles.changedSince(this.currentFiles).map((file) => secrets.mask(file));
    const isSame = unlikeCurrent.every((key) => restart.includes(key)) && files.length === 0;
    const change = isSame ? undefined : await this.prepare(next, prepare, secrets);
    const changes = { changed, restart, ...(files.length > 0 && { files: files.toSorted() }) };
    return {
      ...changes,
      commit: () => {
        const before = this.current;
        this.currentReading = next;
        this.currentSnapshot = { rawValues, accepted: values };
        this.currentFiles = snapshotOfFiles;
        void next.accept();
        change?.commit();
        for (const listener of this.listeners) listener(changes, before);
      },
      discard: () => {
        change?.discard();
        next.discard();
      },
    };
  }

  private async prepare(
    next: ReadSettings<T>,
    prepare: PrepareSettings<T>,
    secrets: SecretMasker,
  ): Promise<Change> {
    try {
      return await secrets.guard(() => prepare(next.settings));
    } catch (error) {
      throw applicationError(next.applicationName, error, (key) => next.origins(key), secrets);
    }
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
    { settings, validationInput, applicationName }: ReadSettings<T>,
    restart: string[],
    rawValues: Snapshot['rawValues'],
  ): void {
    if (restart.length === 0) return;
    const violations = checkRules(settings, { ...validationInput, rawValues }).map((violation) => ({
      ...violation,
      message: `${violation.message} (until the restart that ${restart.join(', ')} needs)`,
    }));
    if (violations.length > 0) throw new SettingsError(applicationName, violations);
  }
}
