// Owns the decorator that ties a property of a settings class to a key, and the list of such ties.
import type { Reader } from './readers/reader.js';

/** One property of a settings class and how its value is found. */
export interface DeclaredSetting {
  readonly key: string;
  readonly property: string;
  readonly reader: Reader<unknown>;
  /** Defaults by profile; they come before the property's initial value. */
  readonly profileDefaults: Readonly<Record<string, unknown>>;
}

const declarations = new WeakMap<object, DeclaredSetting[]>();

/**
 * Declares a property as a setting. Its initial value is the default; `profileDefaults` replaces
 * that default while a profile is active (`{ dev: '127.0.0.1' }`; of several, the last one named).
 * Validators of class-validator stand beside it as usual.
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

/** The settings that a class and the classes above it declare; a redeclared key counts once. */
export function declaredSettings(settingsClass: new () => object): DeclaredSetting[] {
  const byKey = new Map<string, DeclaredSetting>();
  for (let target: unknown = settingsClass.prototype; isObject(target);) {
    for (const setting of declarations.get(target) ?? []) {
      if (!byKey.has(setting.key)) byKey.set(setting.key, setting);
    }
    target = Object.getPrototypeOf(target);
  }
  return [...byKey.values()];
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
