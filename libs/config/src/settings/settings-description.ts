// Describes the declared settings, for the documentation.
import { boundsOf, type Bounds } from './bounds.js';
import type { SettingParser } from './parsers/setting-parser.js';
import { isLive } from './reload/restart.js';
import { declaredSettings, holderOf } from './setting.js';

export interface SettingDescription {
  readonly key: string;
  /** `duration`, `secret list`. */
  readonly kind: string;
  /** The only values; empty where there are others. */
  readonly words: readonly string[];
  /** As written: `1s`. */
  readonly bounds: Bounds & { readonly range: readonly [min: string, max: string] };
  /** As written; empty where there is none; secrets are masked. */
  readonly defaultValue: string;
  readonly profileDefaults: Readonly<Record<string, string>>;
  /** Whether a reload applies changes, or some of them. */
  readonly isLive: boolean;
}

/** The settings of an application, in alphabetical order. */
export function describeSettings(settingsClass: new () => object): readonly SettingDescription[] {
  const settings = new settingsClass();
  const descriptions = declaredSettings(settingsClass).map((setting) => {
    const { key, property, parser, profileDefaults } = setting;
    const holder = holderOf(settings, setting);
    const bounds = boundsOf(holder, property);
    return {
      key,
      kind: parser.secret && parser.kind !== 'secret' ? `secret ${parser.kind}` : parser.kind,
      words: parser.words ?? [],
      bounds: { ...bounds, range: [textOf(parser, bounds.min), textOf(parser, bounds.max)] },
      defaultValue: textOf(parser, Reflect.get(holder, property)),
      profileDefaults: Object.fromEntries(
        Object.entries(profileDefaults).map(([name, value]) => [name, textOf(parser, value)]),
      ),
      isLive: isLive(settings, setting),
    } satisfies SettingDescription;
  });
  return descriptions.toSorted((one, other) => (one.key < other.key ? -1 : 1));
}

function textOf(parser: SettingParser<unknown>, value: unknown): string {
  if (value === undefined) return '';
  if (Array.isArray(value)) return value.join(',');
  if (parser.format) return parser.format(value);
  const json = typeof value === 'string' ? value : JSON.stringify(value);
  return json === '{}' ? '' : json;
}
