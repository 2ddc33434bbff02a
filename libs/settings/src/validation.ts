// Owns the checks on typed settings: bounds of properties, and rules between settings.
import { boundsFaults } from './bounds.js';
import type { Catalogue } from './catalogue.js';
import type { Complaint } from './complaint.js';
import type { CoreSettings } from './core-settings.js';
import { quotable, type Problem } from './problem.js';
import type { RawValue } from './raw-value.js';
import type { Resolution } from './resolve.js';
import { groupsIn, holderOf, type DeclaredSetting } from './setting.js';

/** What is known of the settings besides their values. */
export interface Findings {
  readonly catalogue: Catalogue;
  readonly resolution: Resolution;
  /** The values that count, by key. */
  readonly written: ReadonlyMap<string, RawValue>;
}

/** What bounds object to, in terms of keys. */
export function boundsProblems(settings: CoreSettings, findings: Findings): Problem[] {
  const { settings: declared } = findings.catalogue;
  return [...new Set([undefined, ...declared.map((each) => each.group)])].flatMap((group) =>
    [...boundsFaults(holderOf(settings, { group }))].map(([property, fault]) => {
      const setting = declared.find((each) => each.property === property && each.group === group);
      if (!setting) throw new TypeError(`${property} has bounds and no key`);
      return problemOf(setting, { key: setting.key, message: fault }, settings, findings);
    }),
  );
}

/** What rules between settings object to. */
export function rulesProblems(settings: CoreSettings, findings: Findings): Problem[] {
  const complaints = groupsIn(settings).flatMap((group) => [...(group.check?.(settings) ?? [])]);
  return [...settings.check(), ...complaints].map((complaint) => {
    const { key } = complaint;
    const setting = findings.catalogue.find(key);
    if (!setting) throw new TypeError(`a rule complains of ${key}, which is not declared`);
    return problemOf(setting, complaint, settings, findings);
  });
}

function problemOf(
  setting: DeclaredSetting,
  { message, rule = message, quotes = [] }: Complaint,
  settings: CoreSettings,
  { resolution, written }: Findings,
): Problem {
  const { key, reader } = setting;
  const origin = resolution.origins.get(key) ?? 'default';
  const raw = written.get(key);
  const isProtected = [key, ...quotes].some((each) => written.get(each)?.isProtected);
  const told = { key, message: isProtected ? rule : message, origin };
  if (isProtected || reader.secret) return told;
  const held: unknown = Reflect.get(holderOf(settings, setting), setting.property);
  return { ...told, ...quotable(raw ? raw.content : held) };
}
