// Who may use the operator's API: the bearer of the management token, and users with a role.
import type { IncomingMessage } from 'node:http';
import type { Request } from 'express';
import { Inject, Injectable } from '@nestjs/common';
import { currentClientAddress, loggerFor } from '@tessera/logging';
import { AdmissionError } from '@tessera/server';
import type { Principal } from '@tessera/services';
import { CurrentPrincipals } from '../../authentication/current-principals.js';
import { RequiredRole } from '../../settings/required-role.js';
import type { SsoSettings } from '../../settings/sso-settings.js';
import { ManagementToken, TOKEN_HOLDER } from './management-token.js';
import { OperatorSession } from './operator-session.js';
import { ssoConfig } from '../../settings/namespaces.js';

const log = loggerFor('operator');

export type OperatorRole = 'operator' | 'read-only';

export interface Operator {
  /** In the audit trail. */
  readonly name: string;
  readonly role: OperatorRole;
  readonly via: 'session' | 'token';
  /** The handle of the single sign-on session. */
  readonly session?: string;
}

@Injectable()
export class OperatorAccess {
  constructor(
    @Inject(ssoConfig.KEY) private readonly settings: SsoSettings,
    private readonly sessions: OperatorSession,
    private readonly principals: CurrentPrincipals,
    private readonly token: ManagementToken,
  ) {}

  /**
   * The caller, by the current settings, his live session and his current attributes.
   * @throws AdmissionError CALLER_UNKNOWN, CALLER_NOT_ALLOWED, AUTHENTICATION_THROTTLED
   * @throws DatabaseError DATABASE_UNAVAILABLE, and LdapError for a user of a directory
   */
  async of(request: IncomingMessage): Promise<Operator> {
    const { authorization } = request.headers;
    if (authorization !== undefined) {
      if (!(await this.token.isIn(authorization))) throw unknown('the credentials are wrong');
      return { name: TOKEN_HOLDER, role: 'operator', via: 'token' };
    }
    const details = await this.sessions.of(request);
    if (details === undefined) throw unknown('sign in first');
    const { authentication, handle } = details;
    const name = authentication.principal.id;
    const principal = await this.principals.of(authentication);
    if (principal === undefined) {
      throw refused(name, 'this user is disabled, expired or removed', request);
    }
    const role = this.roleOf(principal);
    if (role === undefined) throw refused(name, this.missingRole(principal), request);
    return { name, role, via: 'session', session: handle };
  }

  /** The values that would give a role, and the settings that name them. */
  private missingRole({ id }: Principal): string {
    if (id === TOKEN_HOLDER) return 'no user of this name has a role';
    const { roleName, operatorRole, readOnlyRole } = this.settings.operator;
    const roles = [
      ['operator', operatorRole],
      ['read-only', readOnlyRole],
    ].flatMap(([role, value]) => (value ? [`${roleName}=${value} (management.${role}-role)`] : []));
    return `this user does not have ${roles.join(', nor ') || 'any role, since the settings name none'}`;
  }

  private roleOf(principal: Principal): OperatorRole | undefined {
    if (principal.id === TOKEN_HOLDER) return undefined;
    const { operator, reader } = this.settings.operator;
    if (new RequiredRole(operator).isHeldBy(principal)) return 'operator';
    return new RequiredRole(reader).isHeldBy(principal) ? 'read-only' : undefined;
  }
}

/** Logs the refusal of a caller who is known, and returns the error. */
export function refused(
  principal: string,
  reason: string,
  request: IncomingMessage,
): AdmissionError {
  const { method, originalUrl } = request as Request;
  const [path] = originalUrl.split('?', 1);
  const clientAddress = currentClientAddress();
  log.warn({ principal, clientAddress, reason, method, path }, 'a caller was refused');
  return new AdmissionError('CALLER_NOT_ALLOWED', 403, reason);
}

function unknown(message: string): AdmissionError {
  const headers = { 'WWW-Authenticate': 'Bearer realm="operator"' };
  return new AdmissionError('CALLER_UNKNOWN', 401, message, headers);
}
