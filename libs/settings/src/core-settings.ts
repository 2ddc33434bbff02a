// Owns the settings that every application has, and the place for rules between settings.
import { NotEmpty } from './bounds.js';
import type { ActiveProfiles, Complaint } from './complaint.js';
import { levels, pathNames, type LevelName } from './readers/collections.js';
import { pathName, text } from './readers/scalars.js';
import { StandaloneSecurity } from './protection/standalone-security.js';
import { Live } from './reload/live.js';
import { ReloadSettings } from './reload/reload-settings.js';
import { Group, Setting } from './setting.js';

/** What an application's own settings class extends. */
export class CoreSettings implements ActiveProfiles {
  /** The active profiles; where they disagree the last one wins. */
  @Setting('profiles.active', pathNames) profiles: readonly string[] = [];
  @Setting('application.name', pathName) applicationName: string = '';
  /** The directory of the settings files. */
  @Setting('settings.location', text) @NotEmpty() settingsLocation: string = './config';
  /** Lowest level written, by logger; `root` stands for the rest. */
  @Setting('logging.level', levels) @Live() logLevels: Readonly<Record<string, LevelName>> = {};
  /** What protected values are decrypted with. */
  @Group(StandaloneSecurity) readonly protection = new StandaloneSecurity();

  /** When settings are read again by themselves. */
  @Group(ReloadSettings) readonly reload = new ReloadSettings();

  isActive(profile: string): boolean {
    return this.profiles.includes(profile);
  }

  /** Rules that look at several settings at once, or at the profile. Override to add some. */
  check(): Iterable<Complaint> {
    return [];
  }
}
