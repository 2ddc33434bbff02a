// Owns what is known of settings once they are loaded: their values, and how they came about.
import type { ExplainedSetting } from './explanation.js';
import type { FilesRead } from './sources/files-read.js';
import type { Findings } from './validation.js';

/** Valid settings, and how they came about. */
export interface LoadedSettings<T> {
  /** Frozen. */
  readonly settings: T;
  readonly profiles: readonly string[];
  readonly applicationName: string;
  /** For the log: keys of other servers in environment and files, which do nothing here, and what would. */
  readonly idleKeys: readonly string[];
  /** For the log: settings that are given where they had better not be. */
  readonly warnings: readonly string[];
  /** Whether anything beyond this machine was asked. */
  readonly isRemote: boolean;
  /** Paths that settings were read from, or would be if they were there. */
  readonly files: readonly string[];
  /** Where a key's value comes from: `command line`, `config/sso.yml:12`, `default`. */
  origins(key: string): string | undefined;
  /** For people, secrets masked. */
  explain(): readonly ExplainedSetting[];
}

/** Valid settings before they are frozen. */
export interface ReadSettings<T> extends LoadedSettings<T> {
  readonly findings: Findings;
  readonly filesRead: FilesRead;
  /** Tells the sources that what they said is in force. */
  readonly accept: () => Promise<void>;
  /** Tells them that it is not to be. */
  readonly discard: () => void;
}
