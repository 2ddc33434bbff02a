// Loads settings: reads all sources, resolves and checks the values, and reports all violations at the end.
import { SettingKeys } from './setting-keys.js';
import type { CoreSettings } from './core-settings.js';
import { explainSettings } from './explanation.js';
import { describeUnusedKeys } from './unused-key.js';
import type { LoadedSettings, ReadSettings } from './loaded-settings.js';
import { firstPerKey } from './violation.js';
import { SecretMasker } from './protection/secret-masker.js';
import { readLayers } from './read-layers.js';
import { snapshotReading, type Snapshot } from './reload/snapshot.js';
import { resolveSettings } from './resolve.js';
import { groupsIn } from './setting.js';
import { SettingsError } from './settings-error.js';
import type { SettingsContext } from './settings-context.js';
import { lostFiles, type FilesRead } from './sources/file-contents.js';
import { checkBounds, checkRules } from './validation.js';

/**
 * Reads, decrypts, converts and checks the settings of an application. Precedence, highest first: command line,
 * environment, credentials, `sources`, files, defaults. Reads each file once.
 *
 * @throws SettingsError with every violation at once
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
 * As {@link loadSettings}, but does not freeze the settings.
 *
 * @param snapshot replaces all sources
 * @param before the files of the last valid reading, if any
 */
export async function readSettings<T extends CoreSettings>(
  settingsClass: new () => T,
  context: SettingsContext,
  snapshot?: Snapshot,
  before?: FilesRead,
): Promise<ReadSettings<T>> {
  const settingKeys = new SettingKeys(settingsClass, context.sharedPrefixes);
  const settings = withDefaults(new settingsClass(), context);
  const reading = snapshot
    ? snapshotReading(snapshot, settings)
    : await readLayers(settingKeys, settings, context);
  const { bootstrap, layers, local, decrypted, ...others } = reading;
  const { profiles, applicationName } = bootstrap;
  const resolution = resolveSettings(settings, settingKeys, decrypted.values, profiles);
  const validationInput = { settingKeys, resolution, rawValues: decrypted.values };
  const secrets = new SecretMasker(decrypted.values.values());
  const violations = firstPerKey([
    ...(before && !snapshot ? lostFiles(before, reading.filesRead) : []),
    ...secrets.maskViolations(reading.violations),
    // Without keys nothing can be decrypted: that is one violation, reported above.
    ...(reading.hasProtection ? decrypted.violations : []),
    ...resolution.violations,
    ...secrets.maskViolations(layers.flatMap((layer) => layer.violations)),
    ...checkBounds(settings, validationInput),
    ...(reading.isComplete ? checkRules(settings, validationInput) : []),
  ]);
  if (violations.length > 0) {
    reading.discard();
    throw new SettingsError(applicationName, violations);
  }
  return {
    settings,
    validationInput,
    profiles,
    applicationName,
    ...others,
    unusedKeys: describeUnusedKeys(local.flatMap((layer) => layer.unusedKeys)),
    origins: (key) => resolution.origins.get(key),
    explain: () => explainSettings(settings, validationInput),
  };
}

/** Current settings never change; a reload replaces them. */
export function freeze(settings: CoreSettings): void {
  for (const group of groupsIn(settings)) Object.freeze(group);
  Object.freeze(settings);
}

function withDefaults<T extends CoreSettings>(settings: T, context: SettingsContext): T {
  settings.applicationName = context.application;
  if (context.defaultProfiles) settings.profiles = context.defaultProfiles;
  return settings;
}
