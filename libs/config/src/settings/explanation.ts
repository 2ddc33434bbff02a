// The effective settings for display: each key with its value and origin, secrets masked.
import { withoutUrlPasswords } from './violation.js';
import { SecretMasker } from './protection/secret-masker.js';
import type { RawValue } from './raw-value.js';
import { MASK } from './secret.js';
import { holderOf, type DeclaredSetting } from './setting.js';
import type { ValidationInput } from './validation.js';

export interface ExplainedSetting {
  readonly key: string;
  /** As written; defaults in the form of files; lists and maps as JSON; `[secret]` if the key or the origin is secret. */
  readonly value: string;
  /** `command line`, `config/sso.yml:12`, `default`. */
  readonly origin: string;
}

/**
 * Every declared key, and the given members of families, in alphabetical order.
 *
 * @param current the raw values of the settings, where those of the last reading wait for a restart
 */
export function explainSettings(
  settings: object,
  { settingKeys, resolution: { origins }, rawValues }: ValidationInput,
  current = rawValues,
): readonly ExplainedSetting[] {
  const settingsIn = settingKeys.settingsIn(current.keys());
  const keys = settingsIn.flatMap((setting) => keysOf(setting, current));
  const secrets = new SecretMasker([...rawValues.values(), ...current.values()]);
  return keys.toSorted().map((key) => {
    const setting = settingKeys.find(key);
    const raw = current.get(key);
    const value = setting === undefined ? '' : displayValue(settings, setting, raw);
    return { key, value, origin: secrets.mask(origins.get(key) ?? 'default') };
  });
}

function keysOf(
  { key, parser }: DeclaredSetting,
  rawValues: ReadonlyMap<string, RawValue>,
): readonly string[] {
  if (!parser.member) return [key];
  return [...rawValues.keys()].filter((each) => each.startsWith(`${key}.`));
}

function displayValue(
  settings: object,
  setting: DeclaredSetting,
  raw: RawValue | undefined,
): string {
  const value: unknown = Reflect.get(holderOf(settings, setting), setting.property);
  if (value === undefined) return '';
  if (setting.parser.secret || raw?.isProtected) return MASK;
  if (typeof raw?.content === 'string') return withoutUrlPasswords(raw.content);
  if (setting.parser.format) return setting.parser.format(value);
  return withoutUrlPasswords(typeof value === 'string' ? value : JSON.stringify(value));
}
