// Compares the settings of two readings key by key.
import type { CoreSettings } from '../core-settings.js';
import type { ReadSettings } from '../loaded-settings.js';
import { holderOf, type DeclaredSetting } from '../setting.js';
import { needsRestart } from './restart.js';
import { plaintext } from './same-values.js';

/** The value of each key, and of each member of a family, as text, including secrets. */
export function plaintextByKey<T extends CoreSettings>({
  settings,
  validationInput: { settingKeys, rawValues },
}: ReadSettings<T>): ReadonlyMap<string, string> {
  return new Map(
    settingKeys.settingsIn(rawValues.keys()).flatMap((setting) => {
      const value = valueIn(settings, setting);
      if (!setting.parser.member) return [[setting.key, plaintext(value)] as const];
      const members = Object.entries(value as Readonly<Record<string, unknown>>);
      return members.map(([name, each]) => [`${setting.key}.${name}`, plaintext(each)] as const);
    }),
  );
}

/** In alphabetical order. */
export function changedKeys(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): string[] {
  const keys = new Set([...before.keys(), ...after.keys()]);
  return [...keys].filter((key) => before.get(key) !== after.get(key)).toSorted();
}

/** Restores the current value of each setting whose change needs a restart. */
export function keepRestartSettings<T extends CoreSettings>(
  current: T,
  { settings, validationInput }: ReadSettings<T>,
): void {
  for (const setting of validationInput.settingKeys.settings) {
    if (!needsRestart(current, setting, valueIn(settings, setting))) continue;
    const value = valueIn(current, setting);
    Object.assign(holderOf(settings, setting), { [setting.property]: value });
  }
}

export function valueIn(settings: CoreSettings, setting: DeclaredSetting): unknown {
  return Reflect.get(holderOf(settings, setting), setting.property);
}
