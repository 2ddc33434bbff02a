// Turns the entries of one source into values by declared key, and finds unknown keys.
import type { SettingKeys } from './setting-keys.js';
import { lostSafeguards } from './migration/lost-safeguards.js';
import { unusedKey, type UnusedKey } from './unused-key.js';
import type { ReportedViolation } from './violation.js';
import { isTree, type RawEntry, type RawValue } from './raw-value.js';

/** Per source. Each unknown key costs a search for the closest known one. */
const MAX_VIOLATIONS = 100;

/** The values of one source by declared key (or member of a family). */
export interface Layer {
  readonly values: ReadonlyMap<string, RawValue>;
  readonly violations: readonly ReportedViolation[];
  readonly unusedKeys: readonly UnusedKey[];
}

/**
 * Flattens trees down to declared keys; everything below a declared key is its value. If a key is given twice, the later
 * value wins. Keys of other applications are ignored. Keys of other servers become unused keys.
 */
export function layerOf(
  entries: readonly RawEntry[],
  settingKeys: SettingKeys,
  violations: readonly ReportedViolation[] = [],
): Layer {
  const values = new Map<string, RawValue>();
  const found: ReportedViolation[] = [...violations];
  const unusedKeys: UnusedKey[] = [];
  const visit = ({ key, value }: RawEntry): void => {
    const declared = settingKeys.find(key);
    if (declared && !(declared.parser.member && isTree(value.content))) {
      values.set(declared.parser.member ? key : declared.key, value);
    } else if (isTree(value.content)) {
      for (const [name, child] of value.content) visit({ key: `${key}.${name}`, value: child });
    } else if (
      settingKeys.isMistyped(key) &&
      !(value.content === null && settingKeys.isGroup(key))
    ) {
      if (found.length < MAX_VIOLATIONS) found.push(unknownKey(key, value.origin, settingKeys));
    } else {
      found.push(
        ...lostSafeguards({ key, value }, settingKeys).slice(0, MAX_VIOLATIONS - found.length),
      );
      unusedKeys.push(...unusedKey(key, value.origin, settingKeys.migrationHint(key)));
    }
  };
  entries.forEach(visit);
  return { values, violations: found, unusedKeys };
}

/** The violation of an undeclared key. Its value is never shown: it may be a secret. */
export function unknownKey(
  key: string,
  origin: string,
  settingKeys: SettingKeys,
): ReportedViolation {
  if (settingKeys.isGroup(key)) {
    return { key, origin, message: 'is a group of settings and takes no value itself' };
  }
  const meant = settingKeys.suggest(key);
  const suggestion = meant === undefined ? '' : `; did you mean ${meant}?`;
  return { key, origin, message: `is not a known setting${suggestion}` };
}

/** The value of the strongest layer for each key. @param layers the strongest first */
export function mergeLayers(layers: readonly Layer[]): ReadonlyMap<string, RawValue> {
  return new Map(layers.toReversed().flatMap(({ values }) => [...values]));
}
