// The input of the settings loader.
import type { CoreSettings } from './core-settings.js';
import type { SettingsSource } from './settings-source.js';
import type { Environment } from './sources/environment.js';

/** What a program passes to the loader: its name, its arguments and where to look for settings. */
export interface SettingsContext {
  /** The application's name; `application.name` overrides it. */
  readonly application: string;
  /** The arguments after the program's name. */
  readonly argv: readonly string[];
  readonly env?: Environment;
  /** The base of a relative `settings.location`. Default: the working directory. */
  readonly directory?: string;
  /** Active if `profiles.active` is not set. */
  readonly defaultProfiles?: readonly string[];
  /**
   * First segments of keys of which this program declares only some, `['sso']`. Unknown keys below them are ignored:
   * another application checks them.
   */
  readonly sharedPrefixes?: readonly string[];
  /** Directories of files that are named for their keys. Default: systemd credentials and Docker secrets. */
  readonly credentialDirectories?: readonly string[];
  /** Called before the remote sources are loaded, so that the log is configured by then. */
  readonly onLocal?: (applicationName: string, logLevels: CoreSettings['logLevels']) => void;
  /** True if nothing may be written: a program that only shows settings changes nothing. */
  readonly readOnly?: boolean;
  /** Sources between environment and files, the strongest first. */
  readonly sources?: readonly SettingsSource[];
}
