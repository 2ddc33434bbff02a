// Owns what people are told of settings that are in force: each key with its value and where it comes from, secrets masked.
import type { Catalogue } from './catalogue.js';
import { withoutUrlPasswords } from './problem.js';
import { ProtectedTexts } from './protection/protected-texts.js';
import type { RawValue } from './raw-value.js';
import type { Resolution } from './resolve.js';
import { MASK } from './secret.js';
import { holderOf, type DeclaredSetting } from './setting.js';

export interface ExplainedSetting {
  readonly key: string;
  /** As it was written or, of defaults and values with parts, as JSON; `[secret]` for a secret, by its key or its origin. */
  readonly value: string;
  /** `command line`, `config/sso.yml:12`, `default`. */
  readonly origin: string;
}

/** Every declared key, in alphabetical order; of a family those members that are given. */
export function explainSettings(
  settings: object,
  catalogue: Catalogue,
  { origins }: Resolution,
  written: ReadonlyMap<string, RawValue>,
): readonly ExplainedSetting[] {
  const keys = catalogue.settings.flatMap((setting) => keysOf(setting, written));
  const secrets = new ProtectedTexts(written.values());
  return keys.toSorted().map((key) => {
    const setting = catalogue.find(key);
    const raw = written.get(key);
    const value = setting === undefined ? '' : shown(settings, setting, raw);
    return { key, value, origin: secrets.mask(origins.get(key) ?? 'default') };
  });
}

function keysOf(
  { key, reader }: DeclaredSetting,
  written: ReadonlyMap<string, RawValue>,
): readonly string[] {
  if (!reader.member) return [key];
  return [...written.keys()].filter((each) => each.startsWith(`${key}.`));
}

function shown(settings: object, setting: DeclaredSetting, raw: RawValue | undefined): string {
  const value: unknown = Reflect.get(holderOf(settings, setting), setting.property);
  if (value === undefined) return '';
  if (setting.reader.secret || raw?.isProtected) return MASK;
  if (typeof raw?.content === 'string') return withoutUrlPasswords(raw.content);
  return withoutUrlPasswords(typeof value === 'string' ? value : JSON.stringify(value));
}
