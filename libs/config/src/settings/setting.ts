// Decorators that bind properties of a settings class to keys, and the list of these bindings.
import type { ActiveProfiles, Violation } from './violation.js';
import type { SettingParser } from './parsers/setting-parser.js';

/** One property of a settings class, its key and its parser. */
export interface DeclaredSetting {
  readonly key: string;
  /** The property that holds its group; absent for a property of the settings class itself. */
  readonly group?: string;
  readonly property: string;
  readonly parser: SettingParser<unknown>;
  /** Defaults by profile; they override the property's initial value. */
  readonly profileDefaults: Readonly<Record<string, unknown>>;
}

/** The optional interface of a group's class. */
export interface SettingsGroup {
  /** Rules between settings, or that depend on the profile. @param settings the settings that hold the group */
  check?(settings: ActiveProfiles): Iterable<Violation>;
}

interface DeclaredGroup {
  readonly property: string;
  readonly groupClass: new () => object;
}

const declarations = new WeakMap<object, DeclaredSetting[]>();
const groups = new WeakMap<object, DeclaredGroup[]>();

/**
 * Declares a property as a setting. Its initial value is the default; `profileDefaults` replaces
 * that default while a profile is active (`{ dev: '127.0.0.1' }`; of several, the last one wins).
 * Bounds such as `@Min` are decorators of the same property.
 *
 * @param key dotted kebab-case, `sso.base-url`
 */
export function Setting<V>(
  key: string,
  parser: SettingParser<V>,
  profileDefaults: Readonly<Record<string, V>> = {},
) {
  return <T extends object, P extends keyof T & string>(
    target: T,
    property: P & (V extends T[P] ? unknown : never),
  ): void => {
    const own = declarations.get(target) ?? [];
    declarations.set(target, [...own, { key, property, parser, profileDefaults }]);
  };
}

/**
 * Declares a property as a group of settings. Its initial value is a new object of the class. Settings in it declare
 * their full keys. Groups cannot be nested.
 */
export function Group<G extends object>(groupClass: new () => G) {
  return <T extends object, P extends keyof T & string>(
    target: T,
    property: P & (G extends T[P] ? unknown : never),
  ): void => {
    groups.set(target, [...(groups.get(target) ?? []), { property, groupClass }]);
  };
}

/** The settings that a class, its base classes and its groups declare; a redeclared key counts once. */
export function declaredSettings(settingsClass: new () => object): DeclaredSetting[] {
  const byKey = new Map<string, DeclaredSetting>();
  for (const target of prototypeChain(settingsClass.prototype as object)) {
    for (const setting of declarations.get(target) ?? []) {
      if (!byKey.has(setting.key)) byKey.set(setting.key, setting);
    }
    for (const { property: group, groupClass } of groups.get(target) ?? []) {
      for (const setting of declaredSettings(groupClass)) {
        byKey.set(setting.key, { ...setting, group });
      }
    }
  }
  return [...byKey.values()];
}

export function groupsIn(settings: object): SettingsGroup[] {
  const declared = [...prototypeChain(settings)].flatMap((target) => groups.get(target) ?? []);
  return declared.map(({ property }) => holderOf(settings, { group: property }));
}

/** The object that has a declared setting as its property: the settings, or a group in them. */
export function holderOf(settings: object, { group }: { group?: string | undefined }): object {
  if (group === undefined) return settings;
  const holder: unknown = Object.getOwnPropertyDescriptor(settings, group)?.value;
  if (!isObject(holder)) throw new TypeError(`${group} is declared as a group and holds none`);
  return holder;
}

/** The object itself, and all its prototypes. */
export function* prototypeChain(object: object): Iterable<object> {
  for (let target: unknown = object; isObject(target);) {
    yield target;
    target = Object.getPrototypeOf(target);
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
