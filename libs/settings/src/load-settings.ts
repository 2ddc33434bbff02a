// Owns the way from sources to typed settings: every step in order, all problems at the end.
import { Catalogue } from './catalogue.js';
import { readBootstrap, type Bootstrap } from './bootstrap.js';
import type { CoreSettings } from './core-settings.js';
import { describeIdleKeys } from './idle-key.js';
import { layerOf, type Layer } from './layer.js';
import { oncePerKey } from './problem.js';
import { rawValueOf } from './raw-value.js';
import { Refusal } from './readers/reader.js';
import { text } from './readers/scalars.js';
import { resolveSettings } from './resolve.js';
import { groupsIn } from './setting.js';
import { SettingsError } from './settings-error.js';
import type { SettingsSource } from './settings-source.js';
import { readCommandLine } from './sources/command-line.js';
import { readEnvironment, type Environment } from './sources/environment.js';
import { readSettingsFiles } from './sources/settings-files.js';
import { validateSettings } from './validation.js';

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
  /** Sources between environment and files, the strongest first. */
  readonly sources?: readonly SettingsSource[];
}

/** Valid settings, and how they came about. */
export interface LoadedSettings<T> {
  /** Frozen. */
  readonly settings: T;
  readonly profiles: readonly string[];
  readonly applicationName: string;
  /** For the log: keys of other servers in environment and files, which do nothing here, and what would. */
  readonly idleKeys: readonly string[];
  /** Where a key's value comes from: `command line`, `config/sso.yml:12`, `default`. */
  origins(key: string): string | undefined;
}

/**
 * Reads, types and checks the settings of an application. Precedence, highest first: command line,
 * environment, `sources`, files, defaults. Reads each file once.
 *
 * @throws SettingsError with every problem at once
 */
export async function loadSettings<T extends CoreSettings>(
  settingsClass: new () => T,
  context: SettingsContext,
): Promise<LoadedSettings<T>> {
  const catalogue = new Catalogue(settingsClass, context.sharedPrefixes);
  const settings = withDefaults(new settingsClass(), context);
  const direct = [
    readCommandLine(context.argv, catalogue),
    readEnvironment(context.env ?? process.env, catalogue),
  ];
  const bootstrap = readBootstrap(direct, {
    applicationName: settings.applicationName,
    profiles: settings.profiles,
    location: settings.settingsLocation,
  });
  const base = context.directory ?? process.cwd();
  const files = await readSettingsFiles(bootstrap, catalogue, base);
  const remote = await readSources(context.sources ?? [], bootstrap, catalogue, [direct, files]);
  const layers = [...direct, ...remote, ...files];
  const resolution = resolveSettings(settings, catalogue, layers, bootstrap.profiles);
  const problems = oncePerKey([
    ...resolution.problems,
    ...layers.flatMap((layer) => layer.problems),
    ...validateSettings(settings, catalogue, resolution),
  ]);
  if (problems.length > 0) throw new SettingsError(bootstrap.applicationName, problems);
  const { profiles, applicationName } = bootstrap;
  const origins = (key: string): string | undefined => resolution.origins.get(key);
  for (const group of groupsIn(settings)) Object.freeze(group);
  const idleKeys = describeIdleKeys([...direct, ...files].flatMap((layer) => layer.idle));
  return { settings: Object.freeze(settings), profiles, applicationName, idleKeys, origins };
}

function withDefaults<T extends CoreSettings>(settings: T, context: SettingsContext): T {
  settings.applicationName = context.application;
  if (context.defaultProfiles) settings.profiles = context.defaultProfiles;
  return settings;
}

/** Each source may ask for what stronger and weaker sources already said, its own address above all. */
async function readSources(
  sources: readonly SettingsSource[],
  bootstrap: Bootstrap,
  catalogue: Catalogue,
  [direct, files]: readonly [readonly Layer[], readonly Layer[]],
): Promise<Layer[]> {
  const remote: Layer[] = [];
  for (const source of sources) {
    const known = [...direct, ...remote, ...files];
    const { values, problems } = await source.load({
      applicationName: bootstrap.applicationName,
      profiles: bootstrap.profiles,
      text: (key) => scalarAt(known, key),
    });
    const entries = values.map(({ key, value, origin }) => ({
      key,
      value: rawValueOf(value, origin),
    }));
    remote.push(layerOf(entries, catalogue, problems));
  }
  return remote;
}

function scalarAt(layers: readonly Layer[], key: string): string | undefined {
  const raw = layers.find(({ values }) => values.has(key))?.values.get(key);
  const value = raw && text.read(raw);
  return value instanceof Refusal ? undefined : value;
}
