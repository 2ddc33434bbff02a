// Validation rules that several groups of settings share.
import { InvalidPatternError, valuePattern } from '@tessera/services';
import type { Violation } from '@tessera/config';
import type { RoleSettings } from './required-role.js';

/** The violations of a pattern in RE2 syntax. @param key of the setting that holds it */
export function* patternViolations(key: string, pattern: string): Iterable<Violation> {
  try {
    valuePattern(pattern);
  } catch (error) {
    if (!(error instanceof InvalidPatternError)) throw error;
    yield { key, message: error.message, rule: error.rule };
  }
}

/** The violations of a role. @param prefix of its keys, `.role-name` and `.role-value` */
export function* roleViolations(
  prefix: string,
  { roleName, roleValue }: RoleSettings,
): Iterable<Violation> {
  const [name, value] = [`${prefix}.role-name`, `${prefix}.role-value`];
  if (roleName === '' && roleValue !== '') {
    yield { key: name, message: `is required with ${value}` };
  }
  if (roleValue === '' && roleName !== '') {
    yield { key: value, message: `is required with ${name}` };
  }
  yield* patternViolations(value, roleValue);
}
