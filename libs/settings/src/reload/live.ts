// Owns which settings may change while a program runs. What a change means is for those who use the setting.
import { prototypeChain } from '../prototype-chain.js';
import { declaredSettings, holderOf, type DeclaredSetting } from '../setting.js';

/** Whether the program can go over from one value to the other without a restart. */
type Judgement = (from: never, to: never) => boolean;

const always = (): boolean => true;

/** By the prototype of a settings class, and there by property. */
const judgements = new WeakMap<object, Map<string, Judgement>>();

/** Prototypes of the groups that are live as a whole. */
const liveGroups = new WeakSet<object>();

/**
 * Marks a setting, or the class of a group with all its settings, as one whose change counts at a reload. A change of any
 * other waits for a restart.
 *
 * @param judgement of a setting of which only some changes count, whether this one does
 */
export function Live<V>(judgement: (from: V, to: V) => boolean = always) {
  return (target: object, property?: string): void => {
    if (typeof target === 'function') {
      liveGroups.add(target.prototype as object);
    } else if (property !== undefined) {
      const ofClass = judgements.get(target) ?? new Map<string, Judgement>();
      judgements.set(target, ofClass.set(property, judgement));
    }
  };
}

/** Whether a setting's change counts at a reload. */
export function isLive(settings: object, setting: DeclaredSetting, to: unknown): boolean {
  const holder = holderOf(settings, setting);
  const from: unknown = Reflect.get(holder, setting.property);
  return judgementOf(holder, setting)?.(from as never, to as never) ?? false;
}

/** The keys of settings of which some changes, if not all, count at a reload. */
export function liveKeys(settingsClass: new () => object): readonly string[] {
  const settings = new settingsClass();
  const live = declaredSettings(settingsClass).filter(
    (setting) => judgementOf(holderOf(settings, setting), setting) !== undefined,
  );
  return live.map(({ key }) => key);
}

function judgementOf(holder: object, { property }: DeclaredSetting): Judgement | undefined {
  for (const target of prototypeChain(holder)) {
    if (liveGroups.has(target)) return always;
    const judgement = judgements.get(target)?.get(property);
    if (judgement !== undefined) return judgement;
  }
  return undefined;
}
