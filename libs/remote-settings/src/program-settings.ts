// Owns how the program of an application comes to its settings: from all sources, with a log that is as they say.
import { configureLogging } from '@tessera/logging';
import {
  type CoreSettings,
  LiveSettings,
  readProgramArguments,
  sameValues,
} from '@tessera/settings';
import { remoteSources } from './remote-sources.js';
import { SettingsWarnings } from './settings-warnings.js';

export interface Program {
  readonly application: string;
  /** As its process has them. */
  readonly argv: readonly string[];
  /** @see SettingsContext.sharedPrefixes */
  readonly sharedPrefixes?: readonly string[];
  /** False for the further processes of one application: what is to be said of settings was said. */
  readonly reports?: boolean;
  /** The settings as another process of it has them, to be taken in place of what the sources say. */
  readonly inForce?: string | undefined;
}

/**
 * The settings, or undefined where the program was asked to tell them instead: then they are on standard output, and the log
 * is on standard error. The log follows them.
 *
 * @throws SettingsError with every problem at once
 */
export async function programSettings<T extends CoreSettings>(
  settingsClass: new () => T,
  { application, sharedPrefixes = [], reports = true, inForce, ...program }: Program,
): Promise<LiveSettings<T> | undefined> {
  const { explains, argv } = readProgramArguments(program.argv);
  const destination = explains ? { write: writeError } : {};
  const configureLog = (name: string, levels: CoreSettings['logLevels']): void =>
    configureLogging({ application: name, levels, ...destination });
  const context = {
    application,
    argv,
    sharedPrefixes,
    sources: remoteSources(),
    readsOnly: explains,
    onLocal: configureLog,
  };
  const live = await LiveSettings.load(settingsClass, context, inForce);
  const warnings = new SettingsWarnings(application);
  const follow = (isLevelChange: boolean): void => {
    const { logLevels } = live.current;
    if (isLevelChange) configureLog(live.loaded.applicationName, logLevels);
    if (reports) warnings.tell(live.loaded);
  };
  follow(true);
  if (explains) {
    process.stdout.write(`${JSON.stringify(live.loaded.explain())}\n`);
    return undefined;
  }
  live.follow({
    files: [],
    prepare: ({ logLevels }) => {
      const isLevelChange = !sameValues(logLevels, live.current.logLevels);
      return Promise.resolve({ commit: () => follow(isLevelChange), discard: () => {} });
    },
  });
  return live;
}

function writeError(line: string): void {
  process.stderr.write(`${line}\n`);
}
