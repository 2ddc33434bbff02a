// Owns precedence: which value each declared setting gets, and from where.
import type { Catalogue } from './catalogue.js';
import { quotable, type Problem } from './problem.js';
import type { RawValue } from './raw-value.js';
import { Refusal, type Reader } from './readers/reader.js';
import { holderOf, type DeclaredSetting } from './setting.js';

/** What became of the values: origins by key, and the values that could not be read. */
export interface Resolution {
  readonly origins: ReadonlyMap<string, string>;
  readonly problems: readonly Problem[];
}

/**
 * Fills `settings`, whose properties hold their defaults. A value that cannot be read leaves the
 * default in place and is reported.
 *
 * @param written the values that count, by key
 * @param profiles of several with a default for a setting, the last counts
 */
export function resolveSettings(
  settings: object,
  catalogue: Catalogue,
  written: ReadonlyMap<string, RawValue>,
  profiles: readonly string[],
): Resolution {
  const problems: Problem[] = [];
  const origins = new Map<string, string>([...written].map(([key, { origin }]) => [key, origin]));
  for (const setting of catalogue.settings) {
    const { key, reader, profileDefaults } = setting;
    const profile = profiles.findLast((name) => Object.hasOwn(profileDefaults, name));
    if (profile !== undefined) assign(settings, setting, profileDefaults[profile]);
    if (!origins.has(key)) {
      origins.set(key, profile === undefined ? 'default' : `default of profile ${profile}`);
    }
    const raw = reader.member
      ? members(setting, reader.member, written, problems)
      : written.get(key);
    const value = raw && read(key, raw, reader, problems);
    if (value !== undefined) assign(settings, setting, value);
  }
  return { origins, problems };
}

/** The readable members of a family as one map; undefined where none was given. */
function members(
  family: DeclaredSetting,
  member: Reader<unknown>,
  written: ReadonlyMap<string, RawValue>,
  problems: Problem[],
): RawValue | undefined {
  const prefix = `${family.key}.`;
  const given = [...written].filter(([key]) => key.startsWith(prefix));
  const readable = given.filter(([key, raw]) => read(key, raw, member, problems) !== undefined);
  if (readable.length === 0) return undefined;
  const content = new Map(readable.map(([key, raw]) => [key.slice(prefix.length), raw]));
  return { content, origin: readable[0]?.[1].origin ?? '' };
}

function read(key: string, raw: RawValue, reader: Reader<unknown>, problems: Problem[]): unknown {
  const value = reader.read(raw);
  if (!(value instanceof Refusal)) return value;
  const { reason, rule, mayQuote } = value;
  const shown = reader.secret || !mayQuote || raw.isProtected ? {} : quotable(raw.content);
  problems.push({ key, message: raw.isProtected ? rule : reason, origin: raw.origin, ...shown });
  return undefined;
}

function assign(settings: object, setting: DeclaredSetting, value: unknown): void {
  Object.assign(holderOf(settings, setting), { [setting.property]: value });
}
