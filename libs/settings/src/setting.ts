// Owns the decorators that tie properties of a settings class to keys, and the list of such ties.
import type { ActiveProfiles, Complaint } from './complaint.js';
import { isObject, prototypeChain } from './prototype-chain.js';
import type { Reader } from './readers/reader.js';

/** One property of a settings class and how its value is found. */
export interface DeclaredSetting {
  readonly key: string;
  /** The property that holds the group it belongs to; absent where it is the settings' own. */
  readonly group?: string;
  readonly property: string;
  readonly reader: Reader<unknown>;
  /** Defaults by profile; they come before the property's initial value. */
  readonly profileDefaults: Readonly<Record<string, unknown>>;
}

/** What a group's class may implement. */
export interface SettingsGroup {
  /** Rules that look at several settings at once, or at the profile. @param settings those that hold the group */
  check?(settings: ActiveProfiles): Iterable<Complaint>;
}

interface DeclaredGroup {
  readonly property: string;
  readonly groupClass: new () => object;
}

const declarations = new WeakMap<object, DeclaredSetting[]>();
const groups = new WeakMap<object, DeclaredGroup[]>();

/**
 * Declares a property as a setting. Its initial value is the default; `profileDefaults` replaces
 * that default while a profile is active (`{ dev: '127.0.0.1' }`; of several, the last one named).
 * Bounds (`@Min` and its like) stand beside it.
 *
 * @param key dotted kebab-case, `sso.base-url`
 */
export function Setting<V>(
  key: string,
  reader: Reader<V>,
  profileDefaults: Readonly<Record<string, V>> = {},
) {
  return <T extends object, P extends keyof T & string>(
    target: T,
    property: P & (V extends T[P] ? unknown : never),
  ): void => {
    const own = declarations.get(target) ?? [];
    declarations.set(target, [...own, { key, property, reader, profileDefaults }]);
  };
}

/**
 * Declares a property as a group of settings, which initially holds a new object of the class. The
 * settings in it have whole keys of their own; groups hold no groups.
 */
export function Group<G extends object>(groupClass: new () => G) {
  return <T extends object, P extends keyof T & string>(
    target: T,
    property: P & (G extends T[P] ? unknown : never),
  ): void => {
    groups.set(target, [...(groups.get(target) ?? []), { property, groupClass }]);
  };
}

/** The settings that a class, the classes above it and its groups declare; a redeclared key counts once. */
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

/** The groups that settings hold. */
export function groupsIn(settings: object): SettingsGroup[] {
  const declared = [...prototypeChain(settings)].flatMap((target) => groups.get(target) ?? []);
  return declared.map(({ property }) => holderOf(settings, { group: property }));
}

/** The object among the settings that has a declared setting as its property. */
export function holderOf(settings: object, { group }: { group?: string | undefined }): object {
  if (group === undefined) return settings;
  const held: unknown = Object.getOwnPropertyDescriptor(settings, group)?.value;
  if (!isObject(held)) throw new TypeError(`${group} is declared as a group and holds none`);
  return held;
}
