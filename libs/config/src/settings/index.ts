// The public interface of the settings library.
export type { Violation, ViolationText } from './violation.js';
export { CoreSettings } from './core-settings.js';
export { EncryptionSettings } from './encryption/encryption-settings.js';
export { openKeyRing, type KeyRingContext } from './encryption/open-key-ring.js';
export { describeSettings, type SettingDescription } from './settings-description.js';
export type { ExplainedSetting } from './explanation.js';
export { loadSettings } from './load-settings.js';
export type { LoadedSettings } from './loaded-settings.js';
export { makesStricter } from './migration/lost-safeguards.js';
export type { Conversion, MigrationRow } from './migration/migration-row.js';
export { MIGRATION_ROWS, migrationRowOf } from './migration/migration-rows.js';
export { NeedsRestart } from './reload/restart.js';
export type {
  ExplainedCurrentSetting,
  ExplainSettings,
} from './reload/current-settings-explanation.js';
export {
  ReloadableSettings,
  type Change,
  type ChangedKeys,
  type PrepareSettings,
} from './reload/reloadable-settings.js';
export { ReloadSettings } from './reload/reload-settings.js';
export { sameValues } from './reload/same-values.js';
export type { ReportedViolation } from './violation.js';

export {
  hidden,
  list,
  map,
  record,
  secretList,
  texts,
  type LevelName,
} from './parsers/collections.js';
export { closestKey, normaliseKey } from './closest-key.js';
export { duration, parseDuration } from './parsers/duration.js';
export { type SettingParser } from './parsers/setting-parser.js';
export { boolean, integer, oneOf, secret, text } from './parsers/scalars.js';
export type { RawValue } from './raw-value.js';
export { sealingKeySettings } from './sealing-key-settings.js';
export { Secret } from './secret.js';
export { configNamespace, SettingsModule, type ConfigNamespace } from './settings.module.js';
export { Group, NamedGroups, Setting, type SettingsGroup } from './setting.js';
export type { SettingsContext } from './settings-context.js';
export { TracingSettings } from './tracing-settings.js';
export { SettingsError } from './settings-error.js';
export type {
  SettingsSource,
  SourceRequest,
  SourceResult,
  SourceValue,
} from './settings-source.js';
