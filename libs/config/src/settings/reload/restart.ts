// Marks the few settings that a reload cannot change: they belong to the process, not to the application in it.
import { prototypeChain, holderOf, type DeclaredSetting } from '../setting.js';

/** Whether the change from one value to the other needs a restart. */
type ChangePredicate = (from: never, to: never) => boolean;

const always = (): boolean => true;

/** By the prototype of a settings class, then by property. */
const predicates = new WeakMap<object, Map<string, ChangePredicate>>();

/** Prototypes of groups whose settings all need a restart. */
const groups = new WeakSet<object>();

/**
 * Marks a setting, or a group with all its settings, whose change needs a restart. A reload applies all other changes.
 *
 * @param predicate for a setting of which only some changes need a restart: whether this change does
 */
export function NeedsRestart<V>(predicate: (from: V, to: V) => boolean = always) {
  return (target: object, property?: string): void => {
    if (typeof target === 'function') {
      groups.add(target.prototype as object);
    } else if (property !== undefined) {
      const ofClass = predicates.get(target) ?? new Map<string, ChangePredicate>();
      predicates.set(target, ofClass.set(property, predicate));
    }
  };
}

/** Whether a setting keeps its value until a restart, instead of taking the other one at a reload. */
export function needsRestart(settings: object, setting: DeclaredSetting, to: unknown): boolean {
  const holder = holderOf(settings, setting);
  const from: unknown = Reflect.get(holder, setting.property);
  return predicateOf(holder, setting)?.(from as never, to as never) ?? false;
}

/** Whether a reload applies changes of a setting, or some of them. */
export function isLive(settings: object, setting: DeclaredSetting): boolean {
  return predicateOf(holderOf(settings, setting), setting) !== always;
}

function predicateOf(holder: object, { property }: DeclaredSetting): ChangePredicate | undefined {
  for (const target of prototypeChain(holder)) {
    if (groups.has(target)) return always;
    const predicate = predicates.get(target)?.get(property);
    if (predicate !== undefined) return predicate;
  }
  return undefined;
}
