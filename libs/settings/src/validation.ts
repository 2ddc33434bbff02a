// Owns the checks on typed settings: bounds of properties, then rules between settings.
import { boundsFaults } from './bounds.js';
import type { Catalogue } from './catalogue.js';
import type { CoreSettings } from './core-settings.js';
import { quotable, type Problem } from './problem.js';
import type { RawValue } from './raw-value.js';
import type { Resolution } from './resolve.js';
import { groupsIn, holderOf, type DeclaredSetting } from './setting.js';

/** What bounds and rules object to, in terms of keys. */
export function validateSettings(
  settings: CoreSettings,
  catalogue: Catalogue,
  { origins }: Resolution,
  written: ReadonlyMap<string, RawValue>,
): Problem[] {
  const problemOf = (setting: DeclaredSetting, message: string): Problem => ({
    key: setting.key,
    message,
    origin: origins.get(setting.key) ?? 'default',
    ...shownValue(setting, settings, written),
  });
  const problems: Problem[] = [];
  for (const group of new Set([undefined, ...catalogue.settings.map((each) => each.group)])) {
    for (const [property, fault] of boundsFaults(holderOf(settings, { group }))) {
      const setting = catalogue.settings.find(
        (declared) => declared.property === property && declared.group === group,
      );
      if (!setting) throw new TypeError(`${property} has bounds and no key`);
      problems.push(problemOf(setting, fault));
    }
  }
  const complaints = groupsIn(settings).flatMap((group) => [...(group.check?.(settings) ?? [])]);
  for (const { key, message } of [...settings.check(), ...complaints]) {
    const setting = catalogue.find(key);
    if (!setting) throw new TypeError(`a rule complains of ${key}, which is not declared`);
    problems.push(problemOf(setting, message));
  }
  return problems;
}

function shownValue(
  setting: DeclaredSetting,
  settings: CoreSettings,
  written: ReadonlyMap<string, RawValue>,
): { readonly value?: string } {
  const raw = written.get(setting.key);
  if (setting.reader.secret || raw?.isProtected) return {};
  const holder = holderOf(settings, setting);
  return quotable(
    raw ? raw.content : Object.getOwnPropertyDescriptor(holder, setting.property)?.value,
  );
}
