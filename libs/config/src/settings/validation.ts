// Checks typed settings: bounds of properties, and rules between settings.
import { violatedBounds } from './bounds.js';
import type { SettingKeys } from './setting-keys.js';
import { type Violation, quotable, type ReportedViolation } from './violation.js';
import type { CoreSettings } from './core-settings.js';
import type { RawValue } from './raw-value.js';
import type { Resolution } from './resolve.js';
import { groupsIn, holderOf, type DeclaredSetting } from './setting.js';

/** How the values of settings came about. */
export interface ValidationInput {
  readonly settingKeys: SettingKeys;
  readonly resolution: Resolution;
  /** The effective raw values, by key. */
  readonly rawValues: ReadonlyMap<string, RawValue>;
}

export function checkBounds(settings: CoreSettings, input: ValidationInput): ReportedViolation[] {
  const declared = input.settingKeys.settingsIn(input.rawValues.keys());
  const byHolder = Map.groupBy(declared, (each) => holderOf(settings, each));
  return [...byHolder].flatMap(([holder, ofHolder]) =>
    [...violatedBounds(holder)].map(([property, message]) => {
      const setting = ofHolder.find((each) => each.property === property);
      if (!setting) throw new TypeError(`${property} has bounds and no key`);
      const { key, parser } = setting;
      // The bound that ends a message of class-validator is in the unit of the code.
      const readable = message.replace(/\d+$/, (n) => parser.format?.(Number(n)) ?? n);
      return reportOf(setting, { key, message: readable }, settings, input);
    }),
  );
}

export function checkRules(settings: CoreSettings, input: ValidationInput): ReportedViolation[] {
  const ofGroups = groupsIn(settings).flatMap((group) => [...(group.check?.(settings) ?? [])]);
  return [...settings.check(), ...ofGroups].map((violation) => {
    const { key } = violation;
    const setting = input.settingKeys.find(key);
    if (!setting) throw new TypeError(`a rule names ${key}, which is not declared`);
    return reportOf(setting, violation, settings, input);
  });
}

function reportOf(
  setting: DeclaredSetting,
  { message, rule = message, quotes = [] }: Violation,
  settings: CoreSettings,
  { resolution, rawValues }: ValidationInput,
): ReportedViolation {
  const { key, parser } = setting;
  const raw = rawValues.get(key);
  const value: unknown = Reflect.get(holderOf(settings, setting), setting.property);
  const isProtected = [key, ...quotes].some((each) => rawValues.get(each)?.isProtected);
  const text = isProtected ? rule : message;
  // A missing value has no default to name.
  if (!raw && value === undefined) return { key, message: text };
  const report = { key, message: text, origin: resolution.origins.get(key) ?? 'default' };
  if (isProtected || parser.secret) return report;
  return { ...report, ...quotable(raw ? raw.content : value) };
}
