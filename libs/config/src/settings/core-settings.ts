// The settings that every application has.
import { IsNotEmpty, Max, Min } from 'class-validator';
import type { ActiveProfiles, Violation } from './violation.js';
import { duration } from './parsers/duration.js';
import { levels, pathNames, type LevelName } from './parsers/collections.js';
import { pathName, text } from './parsers/scalars.js';
import { StandaloneSecurity } from './protection/standalone-security.js';
import { NeedsRestart } from './reload/restart.js';
import { ReloadSettings } from './reload/reload-settings.js';
import { Group, Setting } from './setting.js';

/** The base of an application's settings class. */
export class CoreSettings implements ActiveProfiles {
  /** The active profiles; the last one wins. */
  @Setting('profiles.active', pathNames) @NeedsRestart() profiles: readonly string[] = [];
  @Setting('application.name', pathName) @NeedsRestart() applicationName: string = '';
  /** The directory of the settings files. */
  @Setting('settings.location', text)
  @NeedsRestart()
  @IsNotEmpty({ message: 'must not be empty' })
  settingsLocation: string = './config';
  /** The lowest level written, by logger; `root` is the default. */
  @Setting('logging.level', levels) logLevels: Readonly<Record<string, LevelName>> = {};
  /** How long a server accepts requests after SIGTERM, while `/health/ready` answers 503. Milliseconds. */
  @Setting('server.drain-time', duration) @Min(0) @Max(60_000) drainTime = 0;
  /** The keys of protected values. */
  @Group(StandaloneSecurity) readonly protection = new StandaloneSecurity();

  /** How often settings are polled for changes. */
  @Group(ReloadSettings) readonly reload = new ReloadSettings();

  /** The files that the application reads, such as certificates. A change of one triggers a reload. */
  get files(): readonly string[] {
    return [];
  }

  isActive(profile: string): boolean {
    return this.profiles.includes(profile);
  }

  /** Rules between settings, or that depend on the profile. Override to add some. */
  check(): Iterable<Violation> {
    return [];
  }
}
