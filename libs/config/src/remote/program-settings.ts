// Loads the settings of a program from all sources, and configures the log from them.
import { configureLogging } from '@tessera/logging';
import {
  type CoreSettings,
  ReloadableSettings,
  sameValues,
  type SettingsSource,
} from '../settings/index.js';
import { SettingsWarnings } from './settings-warnings.js';
import { ConfigServerSource } from './config-server/config-server-source.js';
import { VaultSource } from './vault/vault-source.js';

export interface Program {
  readonly application: string;
  /** `process.argv`; the argument `explain` may precede the settings. */
  readonly argv: readonly string[];
  /** @see SettingsContext.sharedPrefixes */
  readonly sharedPrefixes?: readonly string[];
  /** False for worker processes: the primary process logs warnings about settings. */
  readonly reports?: boolean;
  /** {@link ReloadableSettings.snapshot} of another process of the program, which replaces the sources. */
  readonly snapshot?: string | undefined;
}

/**
 * Loads the settings and configures the log, now and after each reload. With the argument `explain` it prints the settings to
 * standard output, logs to standard error and returns undefined.
 *
 * @throws SettingsError with all violations
 */
export async function programSettings<T extends CoreSettings>(
  settingsClass: new () => T,
  { application, sharedPrefixes = [], reports = true, snapshot, ...program }: Program,
): Promise<ReloadableSettings<T> | undefined> {
  const explains = program.argv[2] === 'explain';
  const argv = program.argv.slice(explains ? 3 : 2);
  const destination = explains ? { write: writeError } : {};
  const configureLog = (name: string, levels: CoreSettings['logLevels']): void =>
    configureLogging({ application: name, levels, ...destination });
  const context = {
    application,
    argv,
    sharedPrefixes,
    sources: remoteSources(),
    readOnly: explains,
    onLocal: configureLog,
  };
  const settings = await ReloadableSettings.load(settingsClass, context, snapshot);
  const warnings = new SettingsWarnings(application);
  const updateLog = (isLevelChange: boolean): void => {
    const { logLevels } = settings.current;
    if (isLevelChange) configureLog(settings.loaded.applicationName, logLevels);
    if (reports) warnings.log(settings.loaded);
  };
  updateLog(true);
  if (explains) {
    process.stdout.write(`${JSON.stringify(settings.loaded.explain())}\n`);
    return undefined;
  }
  settings.onCommit((_changes, before) => {
    updateLog(!sameValues(before.logLevels, settings.current.logLevels));
  });
  return settings;
}

function writeError(line: string): void {
  process.stderr.write(`${line}\n`);
}

/** The strongest first. Each one is inactive unless settings name its server. */
export function remoteSources(): readonly SettingsSource[] {
  return [new VaultSource(), new ConfigServerSource()];
}
