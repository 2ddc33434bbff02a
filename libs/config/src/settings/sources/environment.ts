// Reads settings from environment variables.
import type { SettingKeys } from '../setting-keys.js';
import { closestKey } from '../closest-key.js';
import { keyOfVariable } from '../migration/migration-hints.js';
import {
  claimedPrefix,
  environmentName,
  environmentNames,
  isKubernetesVariable,
} from '../environment-name.js';
import { lostSafeguards } from '../migration/lost-safeguards.js';
import { unusedKey, type UnusedKey } from '../unused-key.js';
import type { Layer } from '../layer.js';
import type { ReportedViolation } from '../violation.js';
import type { RawValue } from '../raw-value.js';

const ORIGIN = 'environment';

/** Variables by name, as in `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The settings among the variables. If a key is given by both its names, the one that keeps the hyphens wins. The names of
 * a family's members are in lower case with dots: `LOGGING_LEVEL_SSO_REST` → `logging.level.sso.rest`. Those of groups are
 * in lower case with hyphens.
 */
export function readEnvironment(environment: Environment, settingKeys: SettingKeys): Layer {
  const keys = new Map(
    settingKeys.settings.flatMap(({ key }) => environmentNames(key).map((name) => [name, key])),
  );
  const values = new Map<string, RawValue>();
  const violations: ReportedViolation[] = [];
  const unusedKeys: UnusedKey[] = [];
  for (const [variable, value] of Object.entries(environment)) {
    if (value === undefined || isKubernetesVariable(variable, value)) continue;
    const key =
      keys.get(variable) ?? memberKey(variable, settingKeys) ?? keyInGroup(variable, settingKeys);
    if (key !== undefined) {
      if (variable !== environmentName(key) && values.has(key)) continue;
      values.set(key, { content: value, origin: `environment ${variable}` });
    } else if (settingKeys.owns(claimedPrefix(variable) ?? '')) {
      violations.push(unknownVariable(variable, settingKeys));
    } else {
      const safeguard = { key: variable, value: { content: value, origin: ORIGIN } };
      violations.push(...lostSafeguards(safeguard, settingKeys));
      const hint = settingKeys.migrationHint(keyOfVariable(variable) ?? '');
      unusedKeys.push(...unusedKey(variable, ORIGIN, hint));
    }
  }
  return { values, violations, unusedKeys };
}

function memberKey(variable: string, settingKeys: SettingKeys): string | undefined {
  const family = settingKeys
    .families()
    .find(({ key }) => variable.startsWith(`${environmentName(key)}_`));
  if (!family) return undefined;
  const member = variable.slice(family.key.length + 1);
  return `${family.key}.${member.toLowerCase().replaceAll('_', '.')}`;
}

/** The key in a group by name. The longest key counts: `A_CONNECT_TIMEOUT` is of `a`, not of `a-connect`. */
function keyInGroup(variable: string, { namedGroups }: SettingKeys): string | undefined {
  for (const { prefix, settings } of namedGroups) {
    const members = [...settings.keys()].map((key) => key.slice(prefix.length));
    for (const member of members.toSorted((one, other) => other.length - one.length)) {
      const ends = environmentNames(`x${member}`).map((each) => each.slice(1));
      const [, name] =
        new RegExp(
          `^${environmentName(prefix)}_([A-Z0-9]+(?:_[A-Z0-9]+)*)(?:${ends.join('|')})$`,
        ).exec(variable) ?? [];
      if (name === undefined) continue;
      return `${prefix}.${name.toLowerCase().replaceAll('_', '-')}${member}`;
    }
  }
  return undefined;
}

function unknownVariable(variable: string, { settings }: SettingKeys): ReportedViolation {
  const known = settings.map(({ key }) => environmentName(key));
  const meant = closestKey(variable, known);
  const suggestion = meant === undefined ? '' : `; did you mean ${meant}?`;
  return {
    key: variable,
    message: `is not a known setting${suggestion}`,
    origin: ORIGIN,
  };
}
