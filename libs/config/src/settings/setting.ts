// Decorators that bind properties of a settings class to keys, and the list of these bindings.
import type { ActiveProfiles, Violation } from './violation.js';
import type { SettingParser } from './parsers/setting-parser.js';

/** One property of a settings class, its key and its parser. */
export interface DeclaredSetting {
  readonly key: string;
  /** The property that holds its group; absent for a property of the settings class itself. */
  readonly group?: string;
  /** Which of the groups of this property has it; absent for a property that holds one group. */
  readonly named?: GroupName;
  readonly property: string;
  readonly parser: SettingParser<unknown>;
  /** Defaults by profile; they override the property's initial value. */
  readonly profileDefaults: Readonly<Record<string, unknown>>;
}

/** One of several groups of the same class. */
interface GroupName {
  readonly name: string;
  readonly groupClass: new (name?: string) => object;
}

/** A property that holds several groups of one class, by name. */
export interface DeclaredNamedGroups extends Pick<GroupName, 'groupClass'> {
  readonly property: string;
  /** What the keys of the class have in common; the name of a group follows it. */
  readonly prefix: string;
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
const namedGroups = new WeakMap<object, DeclaredNamedGroups[]>();

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

/**
 * Declares a property as groups by name. Its initial value is an empty map. A group has the settings that its class
 * declares, with its name after `prefix`: `sso.x.url` is `sso.x.<name>.url`. There is a group for each name that a source
 * has a setting for. A name has lower-case letters, digits and hyphens. Defaults of profiles do not apply, and all settings
 * are live.
 */
export function NamedGroups<G extends object>(
  prefix: string,
  groupClass: new (name?: string) => G,
) {
  return <T extends object, P extends keyof T & string>(
    target: T,
    property: P & (ReadonlyMap<string, G> extends T[P] ? unknown : never),
  ): void => {
    const own = namedGroups.get(target) ?? [];
    namedGroups.set(target, [...own, { property, prefix, groupClass }]);
  };
}

export function declaredNamedGroups(settingsClass: new () => object): DeclaredNamedGroups[] {
  const targets = prototypeChain(settingsClass.prototype as object);
  return [...targets].flatMap((target) => namedGroups.get(target) ?? []);
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
  const chain = [...prototypeChain(settings)];
  const single = chain.flatMap((target) => groups.get(target) ?? []);
  const named = chain.flatMap((target) => namedGroups.get(target) ?? []);
  return [
    ...single.map(({ property }) => holderOf(settings, { group: property })),
    ...named.flatMap(({ property }) => [...groupsByName(settings, property).values()]),
  ];
}

/** The object that has a declared setting as its property: the settings, or a group in them. */
export function holderOf(
  settings: object,
  { group, named }: Pick<DeclaredSetting, 'group' | 'named'>,
): object {
  if (group === undefined) return settings;
  const holder: unknown = named
    ? groupsByName(settings, group).get(named.name)
    : Object.getOwnPropertyDescriptor(settings, group)?.value;
  if (!isObject(holder)) throw new TypeError(`${group} is declared as a group and holds none`);
  return holder;
}

/** Creates the group that has the setting, if it is one of several and not there yet. */
export function createGroup(settings: object, { group = '', named }: DeclaredSetting): void {
  if (named === undefined) return;
  const byName = groupsByName(settings, group);
  if (!byName.has(named.name)) byName.set(named.name, new named.groupClass(named.name));
}

function groupsByName(settings: object, property: string): Map<string, object> {
  return Reflect.get(settings, property) as Map<string, object>;
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
