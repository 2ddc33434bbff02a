// Operators and their roles.
import type { Principal } from '@tessera/services';
import { RequiredRole, type RoleSettings } from '../../settings/required-role.js';

export type OperatorRole = 'operator' | 'read-only';

/** What shows that a caller is an operator. */
export type Proof = 'token' | 'session' | 'password' | 'local program';

export interface Operator {
  /** In the audit trail. */
  readonly name: string;
  readonly role: OperatorRole;
  readonly via: Proof;
  /** The handle of the single sign-on session. */
  readonly session?: string;
}

/** In the audit trail. No user of this name has a role: the trail could not tell the two apart. */
export const TOKEN_HOLDER = 'management token';

/** The first of these roles that the principal has. */
export function roleOf(
  principal: Principal,
  roles: readonly (readonly [OperatorRole, RoleSettings])[],
): OperatorRole | undefined {
  if (principal.id === TOKEN_HOLDER) return undefined;
  return roles.find(([, settings]) => new RequiredRole(settings).isHeldBy(principal))?.[0];
}
