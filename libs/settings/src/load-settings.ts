// Owns the way from sources to typed settings: every step in order, all problems at the end.
import { Catalogue } from './catalogue.js';
import type { CoreSettings } from './core-settings.js';
import { explainSettings, type ExplainedSetting } from './explanation.js';
import { describeIdleKeys } from './idle-key.js';
import { oncePerKey } from './problem.js';
import { readLayers } from './read-layers.js';
import { resolveSettings } from './resolve.js';
import { groupsIn } from './setting.js';
import { SettingsError } from './settings-error.js';
import type { SettingsContext } from './settings-context.js';
import { boundsProblems, rulesProblems, type Findings } from './validation.js';

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
  /** Tells the sources that what they said is taken. */
  readonly accept: () => Promise<void>;
}

/**
 * Reads, decrypts, types and checks the settings of an application. Precedence, highest first: command line, environment,
 * credentials, `sources`, files, defaults. Reads each file once.
 *
 * @throws SettingsError with every problem at once
 */
export async function loadSettings<T extends CoreSettings>(
  settingsClass: new () => T,
  context: SettingsContext,
): Promise<LoadedSettings<T>> {
  const read = await readSettings(settingsClass, context);
  freeze(read.settings);
  await read.accept();
  return read;
}

/** As {@link loadSettings}, but not yet frozen. */
export async function readSettings<T extends CoreSettings>(
  settingsClass: new () => T,
  context: SettingsContext,
): Promise<ReadSettings<T>> {
  const catalogue = new Catalogue(settingsClass, context.sharedPrefixes);
  const settings = withDefaults(new settingsClass(), context);
  const { bootstrap, layers, local, written, ...reading } = await readLayers(
    catalogue,
    settings,
    context,
  );
  const { profiles, applicationName } = bootstrap;
  const resolution = resolveSettings(settings, catalogue, written.values, profiles);
  const findings = { catalogue, resolution, written: written.values };
  const problems = oncePerKey([
    ...reading.problems,
    // Without its keys nothing can be decrypted: that is told once.
    ...(reading.isProtected ? written.problems : []),
    ...resolution.problems,
    ...layers.flatMap((layer) => layer.problems),
    ...boundsProblems(settings, findings),
    ...(reading.isWhole ? rulesProblems(settings, findings) : []),
  ]);
  if (problems.length > 0) throw new SettingsError(applicationName, problems);
  return {
    settings,
    findings,
    profiles,
    applicationName,
    idleKeys: describeIdleKeys(local.flatMap((layer) => layer.idle)),
    warnings: reading.warnings,
    isRemote: reading.isRemote,
    files: reading.files,
    accept: reading.accept,
    origins: (key) => resolution.origins.get(key),
    explain: () => explainSettings(settings, catalogue, resolution, written.values),
  };
}

/** Settings that are in force do not change; others take their place. */
export function freeze(settings: CoreSettings): void {
  for (const group of groupsIn(settings)) Object.freeze(group);
  Object.freeze(settings);
}

function withDefaults<T extends CoreSettings>(settings: T, context: SettingsContext): T {
  settings.applicationName = context.application;
  if (context.defaultProfiles) settings.profiles = context.defaultProfiles;
  return settings;
}
