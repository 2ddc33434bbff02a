// Owns the checks on typed settings: validators on properties, then rules between settings.
import { validateSync } from 'class-validator';
import type { Catalogue } from './catalogue.js';
import type { CoreSettings } from './core-settings.js';
import { quotable, type Problem } from './problem.js';
import type { Resolution } from './resolve.js';
import type { DeclaredSetting } from './setting.js';

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
  for (const { property, value, constraints } of faults) {
    const setting = catalogue.settings.find((declared) => declared.property === property);
    const [message = 'is not valid'] = Object.values(constraints ?? {});
    if (!setting) throw new TypeError(`${property} has a validator and no key`);
    problems.push(
      problemOf(setting, value === undefined ? 'is required' : subjectless(message, property)),
    );
  }
  for (const { key, message } of settings.check()) {
    const setting = catalogue.find(key);
    if (!setting) throw new TypeError(`a rule complains of ${key}, which is not declared`);
    problems.push(problemOf(setting, message));
  }
  return problems;
}

/** `port must not be …` → `must not be …`: people know the key, not the property. */
function subjectless(message: string, property: string): string {
  return message.startsWith(`${property} `) ? message.slice(property.length + 1) : message;
}

function shownValue(
  { key, property, reader }: DeclaredSetting,
  settings: CoreSettings,
  { written }: Resolution,
): { readonly value?: string } {
  if (reader.secret) return {};
  const raw = written.get(key);
  return quotable(raw ? raw.content : Object.getOwnPropertyDescriptor(settings, property)?.value);
}
