// Owns the rules between the two settings that name a role.
import type { Violation } from '@tessera/settings';
import { patternComplaints } from '../pattern-complaints.js';
import type { NamedRole } from './required-role.js';

/** What is wrong with a role. @param prefix of its keys, `.role-name` and `.role-value` */
export function* roleComplaints(
  prefix: string,
  { roleName, roleValue }: NamedRole,
): Iterable<Violation> {
  const [name, value] = [`${prefix}.role-name`, `${prefix}.role-value`];
  if (roleName === '' && roleValue !== '') {
    yield { key: name, message: `is required with ${value}` };
  }
  if (roleValue === '' && roleName !== '') {
    yield { key: value, message: `is required with ${name}` };
  }
  yield* patternComplaints(value, roleValue);
}
