// Owns how the program of an application comes to its settings: from all sources, with a log that is as they say.
import { configureLogging, loggerFor } from '@tessera/logging';
import {
  type CoreSettings,
  type LoadedSettings,
  loadSettings,
  readProgramArguments,
} from '@tessera/settings';
import { remoteSources } from './remote-sources.js';

export interface Program {
  readonly application: string;
  /** As its process has them. */
  readonly argv: readonly string[];
  /** @see SettingsContext.sharedPrefixes */
  readonly sharedPrefixes?: readonly string[];
  /** False for the further processes of one application: what is to be said of settings was said. */
  readonly reports?: boolean;
}

/**
 * The settings, or undefined where the program was asked to tell them instead: then they are on standard output, and the log
 * is on standard error.
 *
 * @throws SettingsError with every problem at once
 */
export async function programSettings<T extends CoreSettings>(
  settingsClass: new () => T,
  { application, sharedPrefixes = [], reports = true, ...program }: Program,
): Promise<T | undefined> {
  const { explains, argv } = readProgramArguments(program.argv);
  const destination = explains ? { write: writeError } : {};
  const loaded = await loadSettings(settingsClass, {
    application,
    argv,
    sharedPrefixes,
    sources: remoteSources(),
    readsOnly: explains,
    onLocal: (name, levels) => configureLogging({ application: name, levels, ...destination }),
  });
  const { settings, applicationName } = loaded;
  configureLogging({ application: applicationName, levels: settings.logLevels, ...destination });
  if (reports) report(application, loaded);
  if (!explains) return settings;
  process.stdout.write(`${JSON.stringify(loaded.explain())}\n`);
  return undefined;
}

function writeError(line: string): void {
  process.stderr.write(`${line}\n`);
}

function report<T>(
  application: string,
  { idleKeys, warnings }: Pick<LoadedSettings<T>, 'idleKeys' | 'warnings'>,
): void {
  const log = loggerFor(application);
  if (idleKeys.length > 0) log.warn({ idleKeys }, 'settings of another server do nothing here');
  for (const warning of warnings) log.warn({}, warning);
}
