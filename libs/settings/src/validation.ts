// Owns the checks on typed settings: validators on properties, then rules between settings.
import { validateSync, type ValidationError } from 'class-validator';
import type { Catalogue } from './catalogue.js';
import type { CoreSettings } from './core-settings.js';
import { quotable, type Problem } from './problem.js';
import type { Resolution } from './resolve.js';
import { groupsIn, holderOf, type DeclaredSetting } from './setting.js';

/** What validators and rules object to, in terms of keys. */
export function validateSettings(
  settings: CoreSettings,
  catalogue: Catalogue,
  resolution: Resolution,
): Problem[] {
  const problemOf = (setting: DeclaredSetting, message: string): Problem => ({
    key: setting.key,
    message,
    origin: resolution.origins.get(setting.key) ?? 'default',
    ...shownValue(setting, settings, resolution),
  });
  const problems: Problem[] = [];
  const faults = validateSync(settings, { forbidUnknownValues: false, stopAtFirstError: true });
  for (const { group, fault } of eachFault(faults)) {
    const { property, constraints } = fault;
    const setting = catalogue.settings.find(
      (declared) => declared.property === property && declared.group === group,
    );
    const [message = 'is not valid'] = Object.values(constraints ?? {});
    if (!setting) throw new TypeError(`${property} has a validator and no key`);
    problems.push(
      problemOf(
        setting,
        fault.value === undefined ? 'is required' : subjectless(message, property),
      ),
    );
  }
  const complaints = groupsIn(settings).flatMap((group) => [...(group.check?.(settings) ?? [])]);
  for (const { key, message } of [...settings.check(), ...complaints]) {
    const setting = catalogue.find(key);
    if (!setting) throw new TypeError(`a rule complains of ${key}, which is not declared`);
    problems.push(problemOf(setting, message));
  }
  return problems;
}

/** Those of the settings' own properties, and those below each group. */
function eachFault(
  faults: readonly ValidationError[],
): readonly { readonly group?: string; readonly fault: ValidationError }[] {
  return faults.flatMap((fault) =>
    (fault.children ?? []).length === 0
      ? [{ fault }]
      : (fault.children ?? []).map((child) => ({ group: fault.property, fault: child })),
  );
}

/** `port must not be …` → `must not be …`: people know the key, not the property. */
function subjectless(message: string, property: string): string {
  return message.startsWith(`${property} `) ? message.slice(property.length + 1) : message;
}

function shownValue(
  setting: DeclaredSetting,
  settings: CoreSettings,
  { written }: Resolution,
): { readonly value?: string } {
  if (setting.reader.secret) return {};
  const raw = written.get(setting.key);
  const holder = holderOf(settings, setting);
  return quotable(
    raw ? raw.content : Object.getOwnPropertyDescriptor(holder, setting.property)?.value,
  );
}
