// Marks the settings that a reload can change without a restart.
import { prototypeChain, declaredSettings, holderOf, type DeclaredSetting } from '../setting.js';

/** Whether the change from one value to the other needs no restart. */
type ChangePredicate = (from: never, to: never) => boolean;

const always = (): boolean => true;

/** By the prototype of a settings class, then by property. */
const predicates = new WeakMap<object, Map<string, ChangePredicate>>();

/** Prototypes of groups whose settings are all live. */
const liveGroups = new WeakSet<object>();

/**
 * Marks a setting, or a group with all its settings, as live: a reload applies its changes. All other changes need a
 * restart.
 *
 * @param predicate for a setting of which only some changes are live: whether this change is
 */
export function Live<V>(predicate: (from: V, to: V) => boolean = always) {
  return (target: object, property?: string): void => {
    if (typeof target === 'function') {
      liveGroups.add(target.prototype as object);
    } else if (property !== undefined) {
      const ofClass = predicates.get(target) ?? new Map<string, ChangePredicate>();
      predicates.set(target, ofClass.set(property, predicate));
    }
  };
}

/** Whether a reload applies the change of a setting. */
export function isLive(settings: object, setting: DeclaredSetting, to: unknown): boolean {
  const holder = holderOf(settings, setting);
  const from: unknown = Reflect.get(holder, setting.property);
  return predicateOf(holder, setting)?.(from as never, to as never) ?? false;
}

/** The keys of settings with live changes. */
export function liveKeys(settingsClass: new () => object): readonly string[] {
  const settings = new settingsClass();
  const live = declaredSettings(settingsClass).filter((setting) =>
    hasLiveChanges(settings, setting),
  );
  return live.map(({ key }) => key);
}

/** Whether a reload applies changes of a setting, or some of them. */
export function hasLiveChanges(settings: object, setting: DeclaredSetting): boolean {
  return predicateOf(holderOf(settings, setting), setting) !== undefined;
}

function predicateOf(holder: object, { property }: DeclaredSetting): ChangePredicate | undefined {
  for (const target of prototypeChain(holder)) {
    if (liveGroups.has(target)) return always;
    const predicate = predicates.get(target)?.get(property);
    if (predicate !== undefined) return predicate;
  }
  return undefined;
}
