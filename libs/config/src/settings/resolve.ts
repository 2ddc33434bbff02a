// Resolves the effective value and the origin of each declared setting.
import type { SettingKeys } from './setting-keys.js';
import { quotable, type ReportedViolation } from './violation.js';
import type { RawValue } from './raw-value.js';
import { InvalidValue, type SettingParser } from './parsers/setting-parser.js';
import { createGroup, holderOf, type DeclaredSetting } from './setting.js';

/** Origins by key, and the violations of invalid values. */
export interface Resolution {
  readonly origins: ReadonlyMap<string, string>;
  readonly violations: readonly ReportedViolation[];
}

/**
 * Sets the properties of `settings`, which hold their defaults. An invalid value is reported and leaves the default.
 *
 * @param rawValues the effective raw values, by key
 * @param profiles if several have a default for a setting, the last one wins
 */
export function resolveSettings(
  settings: object,
  settingKeys: SettingKeys,
  rawValues: ReadonlyMap<string, RawValue>,
  profiles: readonly string[],
): Resolution {
  const violations: ReportedViolation[] = [];
  const origins = new Map<string, string>([...rawValues].map(([key, { origin }]) => [key, origin]));
  for (const setting of settingKeys.settingsIn(rawValues.keys())) {
    createGroup(settings, setting);
    const { key, parser, profileDefaults } = setting;
    const profile = profiles.findLast((name) => Object.hasOwn(profileDefaults, name));
    if (profile !== undefined) assign(settings, setting, profileDefaults[profile]);
    if (!origins.has(key)) {
      origins.set(key, profile === undefined ? 'default' : `default of profile ${profile}`);
    }
    const raw = parser.member
      ? members(setting, parser.member, rawValues, violations)
      : rawValues.get(key);
    const value = raw && read(key, raw, parser, violations);
    if (value !== undefined) assign(settings, setting, value);
  }
  return { origins, violations };
}

/** The valid members of a family as one map; undefined if there are none. */
function members(
  family: DeclaredSetting,
  member: SettingParser<unknown>,
  rawValues: ReadonlyMap<string, RawValue>,
  violations: ReportedViolation[],
): RawValue | undefined {
  const prefix = `${family.key}.`;
  const given = [...rawValues].filter(([key]) => key.startsWith(prefix));
  const readable = given.filter(([key, raw]) => read(key, raw, member, violations) !== undefined);
  if (readable.length === 0) return undefined;
  const content = new Map(readable.map(([key, raw]) => [key.slice(prefix.length), raw]));
  return { content, origin: readable[0]?.[1].origin ?? '' };
}

function read(
  key: string,
  raw: RawValue,
  parser: SettingParser<unknown>,
  violations: ReportedViolation[],
): unknown {
  const value = parser.parse(raw);
  if (!(value instanceof InvalidValue)) return value;
  const { reason, rule, mayQuote } = value;
  const shown = parser.secret || !mayQuote || raw.isProtected ? {} : quotable(raw.content);
  violations.push({ key, message: raw.isProtected ? rule : reason, origin: raw.origin, ...shown });
  return undefined;
}

function assign(settings: object, setting: DeclaredSetting, value: unknown): void {
  Object.assign(holderOf(settings, setting), { [setting.property]: value });
}
