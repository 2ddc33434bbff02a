// Owns the way from sources to typed settings: every step in order, all problems at the end.
import { Catalogue } from './catalogue.js';
import type { CoreSettings } from './core-settings.js';
import { explainSettings } from './explanation.js';
import { describeUnusedKeys } from './unused-key.js';
import type { LoadedSettings, ReadSettings } from './loaded-settings.js';
import { oncePerKey } from './problem.js';
import { ProtectedTexts } from './protection/protected-texts.js';
import { readLayers } from './read-layers.js';
import { snapshotReading, type Snapshot } from './reload/snapshot.js';
import { resolveSettings } from './resolve.js';
import { groupsIn } from './setting.js';
import { SettingsError } from './settings-error.js';
import type { SettingsContext } from './settings-context.js';
import { lostFiles, type FilesRead } from './sources/files-read.js';
import { boundsProblems, rulesProblems } from './validation.js';

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

/**
 * As {@link loadSettings}, but not yet frozen.
 *
 * @param snapshot in place of all sources
 * @param before of the last good reading, where there was one
 */
export async function readSettings<T extends CoreSettings>(
  settingsClass: new () => T,
  context: SettingsContext,
  snapshot?: Snapshot,
  before?: FilesRead,
): Promise<ReadSettings<T>> {
  const catalogue = new Catalogue(settingsClass, context.sharedPrefixes);
  const settings = withDefaults(new settingsClass(), context);
  const reading = snapshot
    ? snapshotReading(snapshot, settings)
    : await readLayers(catalogue, settings, context);
  const { bootstrap, layers, local, written, ...others } = reading;
  const { profiles, applicationName } = bootstrap;
  const resolution = resolveSettings(settings, catalogue, written.values, profiles);
  const findings = { catalogue, resolution, written: written.values };
  const secrets = new ProtectedTexts(written.values.values());
  const problems = oncePerKey([
    ...(before && !snapshot ? lostFiles(before, reading.filesRead) : []),
    ...reading.problems.map((problem) => secrets.maskProblem(problem)),
    // Without its keys nothing can be decrypted: that is told once.
    ...(reading.isProtected ? written.problems : []),
    ...resolution.problems,
    ...layers.flatMap((layer) => layer.problems).map((problem) => secrets.maskProblem(problem)),
    ...boundsProblems(settings, findings),
    ...(reading.isWhole ? rulesProblems(settings, findings) : []),
  ]);
  if (problems.length > 0) {
    reading.discard();
    throw new SettingsError(applicationName, problems);
  }
  return {
    settings,
    findings,
    profiles,
    applicationName,
    ...others,
    idleKeys: describeUnusedKeys(local.flatMap((layer) => layer.idle)),
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
