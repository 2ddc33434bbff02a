// Owns what a program tells of itself, and of where its settings are looked for.
import type { CoreSettings } from './core-settings.js';
import type { SettingsSource } from './settings-source.js';
import type { Environment } from './sources/environment.js';

/** Where settings are looked for. */
export interface SettingsContext {
  /** The application's name, unless `application.name` gives another. */
  readonly application: string;
  /** The arguments after the program's name. */
  readonly argv: readonly string[];
  readonly env?: Environment;
  /** What a relative `settings.location` is relative to; default: the working directory. */
  readonly directory?: string;
  /** Active where `profiles.active` is not given. */
  readonly defaultProfiles?: readonly string[];
  /**
   * First segments of keys of which this program reads only some, `['sso']`: the others are passed
   * over, since the application that knows them judges them.
   */
  readonly sharedPrefixes?: readonly string[];
  /** Where files named for their keys lie; default: systemd's credentials and Docker's secrets. */
  readonly credentialDirectories?: readonly string[];
  /** Told before the remote sources are asked, so that the log is right by then. */
  readonly onLocal?: (applicationName: string, logLevels: CoreSettings['logLevels']) => void;
  /** True where nothing may be written, as who only looks at settings changes nothing. */
  readonly readsOnly?: boolean;
  /** Sources between environment and files, the strongest first. */
  readonly sources?: readonly SettingsSource[];
}
