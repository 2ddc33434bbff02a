// Who may use the operator's API: the bearer of the management token, and users with a role.
import type { IncomingMessage } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import { AccountStore } from '@tessera/accounts';
import { LiveSettings } from '@tessera/config';
import { equalsInConstantTime } from '@tessera/crypto';
import { currentClientAddress, loggerFor } from '@tessera/logging';
import { AdmissionError, readAuthorization } from '@tessera/server';
import type { Principal } from '@tessera/services';
import { SessionAdministration, type Authentication } from '@tessera/tickets';
import { RequiredRole } from '../../required-role.js';
import type { SsoSettings } from '../../settings.js';
import { OperatorSession } from './operator-session.js';

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

/** No user of this name has a role: the audit trail could not tell the two apart. */
const TOKEN_HOLDER = 'management token';

@Injectable()
export class OperatorAccess {
  constructor(
    @Inject(LiveSettings) private readonly live: Pick<LiveSettings<SsoSettings>, 'current'>,
    @Inject(OperatorSession) private readonly cookies: Pick<OperatorSession, 'read'>,
    @Inject(SessionAdministration) private readonly sessions: Pick<SessionAdministration, 'find'>,
    @Inject(AccountStore) private readonly accounts: Pick<AccountStore, 'state'>,
  ) {}

  /**
   * The caller, by the current settings and his live session.
   * @throws AdmissionError CALLER_UNKNOWN, CALLER_NOT_ALLOWED
   * @throws DatabaseError DATABASE_UNAVAILABLE
   */
  async of(request: IncomingMessage): Promise<Operator> {
    const { authorization } = request.headers;
    if (authorization !== undefined) return this.ofToken(authorization);
    const session = await this.cookies.read(request, 'session');
    const details = session === undefined ? undefined : await this.sessions.find(session);
    if (session === undefined || details === undefined) throw unknown('sign in first');
    const { principal } = details.authentication;
    const role = this.roleOf(principal);
    if (role === undefined) {
      throw refused(principal.id, 'this user has no role of the settings', request);
    }
    if (!(await this.mayLogIn(details.authentication))) {
      const reason = 'the account of this user is disabled, expired or removed';
      throw refused(principal.id, reason, request);
    }
    return { name: principal.id, role, via: 'session', session };
  }

  /** By the status of the account, as at a login. Otherwise its user could end what an operator has decided. */
  private async mayLogIn({ principal, handler }: Authentication): Promise<boolean> {
    const needsAccount = handler === 'accounts';
    if (!needsAccount && !this.live.current.principals.accountStatus) return true;
    const state = await this.accounts.state(principal.id);
    return state === 'active' || (state === 'unknown' && !needsAccount);
  }

  private ofToken(header: string): Operator {
    const authorization = readAuthorization(header);
    const { token } = this.live.current.management;
    const isRight =
      authorization?.scheme === 'bearer' &&
      token !== undefined &&
      equalsInConstantTime(authorization.token, token.reveal());
    if (isRight) return { name: TOKEN_HOLDER, role: 'operator', via: 'token' };
    log.warn({ clientAddress: currentClientAddress() }, 'a wrong management token was refused');
    throw unknown('the credentials are wrong');
  }

  private roleOf(principal: Principal): OperatorRole | undefined {
    if (principal.id === TOKEN_HOLDER) return undefined;
    const { operator, reader } = this.live.current.operator;
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
  const { method, url = '' } = request;
  const [path] = url.split('?', 1);
  const clientAddress = currentClientAddress();
  log.warn({ principal, clientAddress, reason, method, path }, 'a caller was refused');
  return new AdmissionError('CALLER_NOT_ALLOWED', 403, reason);
}

function unknown(message: string): AdmissionError {
  const headers = { 'WWW-Authenticate': 'Bearer realm="operator"' };
  return new AdmissionError('CALLER_UNKNOWN', 401, message, headers);
}
