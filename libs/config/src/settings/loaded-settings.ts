// The result of loading settings.
import type { ExplainedSetting } from './explanation.js';
import type { FilesRead } from './sources/file-contents.js';
import type { ValidationInput } from './validation.js';

/** Valid settings, and where their values come from. */
export interface LoadedSettings<T> {
  /** Frozen. */
  readonly settings: T;
  readonly profiles: readonly string[];
  readonly applicationName: string;
  /** For the log: keys of other servers, which have no effect, and their replacements. */
  readonly unusedKeys: readonly string[];
  /** For the log: settings whose source is not safe for them. */
  readonly warnings: readonly string[];
  /** Whether any remote source is configured. */
  readonly isRemote: boolean;
  /** Paths of all files that were read, or would be if they existed. */
  readonly files: readonly string[];
  /** The origin of a key's value: `command line`, `config/sso.yml:12`, `default`. */
  origins(key: string): string | undefined;
  /** All settings for display, secrets masked. */
  explain(): readonly ExplainedSetting[];
}

/** Valid settings before they are frozen. */
export interface ReadSettings<T> extends LoadedSettings<T> {
  readonly validationInput: ValidationInput;
  readonly filesRead: FilesRead;
  /** Tells the sources that their values are current. */
  readonly accept: () => Promise<void>;
  /** Tells them that their values were rejected. */
  readonly discard: () => void;
}
