// Owns the reading of environment variables. The variables themselves come in from outside.
import type { Catalogue } from '../catalogue.js';
import { closestKey } from '../closest-key.js';
import { claimedPrefix, environmentName, isKubernetesVariable } from '../environment-name.js';
import type { Layer } from '../layer.js';
import type { Problem } from '../problem.js';
import type { RawValue } from '../raw-value.js';

/** Variables by name, as `process.env` holds them. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The environment for a child process: ours, and `defaults` where it says nothing. */
export function childEnvironment(defaults: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  return { ...defaults, ...process.env };
}

/** The variable that somebody named as the place of a secret. */
export function environmentVariable(name: string): string | undefined {
  return process.env[name];
}

/**
 * The settings among the variables. A family's members come in lower case with dots:
 * `LOGGING_LEVEL_SSO_REST` → `logging.level.sso.rest`.
 */
export function readEnvironment(environment: Environment, catalogue: Catalogue): Layer {
  const keys = new Map(catalogue.settings.map(({ key }) => [environmentName(key), key]));
  const values = new Map<string, RawValue>();
  const problems: Problem[] = [];
  for (const [variable, value] of Object.entries(environment)) {
    if (value === undefined || isKubernetesVariable(variable, value)) continue;
    const key = keys.get(variable) ?? memberKey(variable, catalogue);
    if (key !== undefined) {
      values.set(key, { content: value, origin: `environment ${variable}` });
    } else if (catalogue.owns(claimedPrefix(variable) ?? '')) {
      problems.push(unknownVariable(variable, [...keys.keys()]));
    }
  }
  return { values, problems };
}

function memberKey(variable: string, catalogue: Catalogue): string | undefined {
  const family = catalogue
    .families()
    .find(({ key }) => variable.startsWith(`${environmentName(key)}_`));
  if (!family) return undefined;
  const member = variable.slice(family.key.length + 1);
  return `${family.key}.${member.toLowerCase().replaceAll('_', '.')}`;
}

function unknownVariable(variable: string, known: readonly string[]): Problem {
  const meant = closestKey(variable, known);
  const suggestion = meant === undefined ? '' : `; did you mean ${meant}?`;
  return {
    key: variable,
    message: `is not a known setting${suggestion}`,
    origin: 'environment',
  };
}
