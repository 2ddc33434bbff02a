// Identifies operators: by the management token, a session of the console, a password, or as programs of this machine.
import type { IncomingMessage } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import { equalsInConstantTime } from '@tessera/crypto';
import { currentClientAddress, loggerFor } from '@tessera/logging';
import { AdmissionError, readAuthorization, reasonNotLocal } from '@tessera/server';
import type { Principal } from '@tessera/services';
import { ThrottledError } from '@tessera/throttling';
import { Authenticator } from '../../authentication/authenticator.js';
import { PasswordError } from '../../authentication/password-error.js';
import { LoginThrottles } from '../../authentication/login-throttles.js';
import type { SsoSettings } from '../../settings/sso-settings.js';
import { ssoConfig } from '../../settings/namespaces.js';
import type { AcceptedProofs } from './accepted-proofs.js';
import { type Operator, type Proof, roleOf, TOKEN_HOLDER } from './operator.js';
import { OperatorSession } from './operator-session.js';
import { forbidden, refused } from './refusal.js';

const log = loggerFor('operator');

const REMEDY =
  'set sso.management.token, or sso.management.role-name and sso.management.role-value';

/** Returns undefined for a request without this proof, or with a wrong one. */
type Check = (request: IncomingMessage) => Promise<Operator | undefined>;

@Injectable()
export class OperatorAccess {
  private readonly checks: Readonly<Record<Proof, Check>> = {
    token: (request) => this.byToken(request),
    session: (request) => this.bySession(request),
    password: (request) => this.byPassword(request),
    'local program': (request) => Promise.resolve(this.byMachine(request)),
  };

  constructor(
    @Inject(ssoConfig.KEY) private readonly settings: SsoSettings,
    private readonly sessions: OperatorSession,
    @Inject(Authenticator) private readonly authenticator: Pick<Authenticator, 'authenticate'>,
    @Inject(LoginThrottles) private readonly throttles: Pick<LoginThrottles, 'operatorTokens'>,
  ) {}

  /**
   * The caller, by the first proof that he gives.
   * @throws AdmissionError CALLER_UNKNOWN, CALLER_NOT_ALLOWED, AUTHENTICATION_THROTTLED
   * @throws DatabaseError DATABASE_UNAVAILABLE, and LdapError for a user of a directory
   */
  async of(request: IncomingMessage, accepted: AcceptedProofs): Promise<Operator> {
    try {
      for (const proof of accepted.proofs) {
        const operator = await this.checks[proof](request);
        if (operator !== undefined) return operator;
      }
    } catch (error) {
      if (!(error instanceof ThrottledError)) throw error;
      const headers = { 'Retry-After': String(error.retryAfter) };
      const status = accepted.throttled(this.settings.dialect);
      throw new AdmissionError(error.code, status, error.message, headers);
    }
    const isWrong = request.headers.authorization !== undefined;
    const unknown = accepted.unknown(this.settings.management, isWrong);
    // The console asks without a cookie before its user signs in.
    const isExpected = accepted.proofs.includes('session') && !isWrong;
    throw isExpected ? unknown : refused(request, unknown);
  }

  /** As {@link of}, for a route whose callers are logged. Returns a description of the caller. */
  async admit(request: IncomingMessage, accepted: AcceptedProofs): Promise<string> {
    const { name, via } = await this.of(request, accepted);
    const clientAddress = currentClientAddress() ?? '';
    const principal = via === 'password' ? name : undefined;
    log.info({ clientAddress, by: via, principal }, 'a caller was admitted');
    return principal === undefined ? clientAddress : `${principal} at ${clientAddress}`;
  }

  /** The right token is accepted from a blocked address too: nobody guesses it. */
  private async byToken({ headers }: IncomingMessage): Promise<Operator | undefined> {
    const authorization = readAuthorization(headers.authorization);
    const { token } = this.settings.management;
    if (authorization?.scheme !== 'bearer' || token === undefined) return undefined;
    if (equalsInConstantTime(authorization.token, token.reveal())) {
      return { name: TOKEN_HOLDER, role: 'operator', via: 'token' };
    }
    const subject = { address: currentClientAddress() ?? '', name: TOKEN_HOLDER };
    const isFailure = (): boolean => true;
    await this.throttles.operatorTokens.guard(subject, () => Promise.resolve(), isFailure);
    return undefined;
  }

  /** By his live session and his current attributes. */
  private async bySession(request: IncomingMessage): Promise<Operator | undefined> {
    if (request.headers.authorization !== undefined) return undefined;
    const signedIn = await this.sessions.of(request);
    if (signedIn === undefined) return undefined;
    const { name, principal, session } = signedIn;
    if (principal === undefined) {
      throw forbidden(request, 'this user is disabled, expired or removed', name);
    }
    const { operator, reader } = this.settings.operator;
    const role = roleOf(principal, [
      ['operator', operator],
      ['read-only', reader],
    ]);
    if (role === undefined) throw forbidden(request, this.missingRole(principal), name);
    return { name, role, via: 'session', session };
  }

  /** Counts as a login over REST, so that it cannot bypass the throttle. */
  private async byPassword(request: IncomingMessage): Promise<Operator | undefined> {
    const { management } = this.settings;
    const authorization = readAuthorization(request.headers.authorization);
    if (authorization?.scheme !== 'basic' || !management.hasRole) return undefined;
    const { name: username, password } = authorization;
    // A directory accepts a bind without a password as an anonymous one.
    if (username === '' || password === '') return undefined;
    const type = 'UsernamePasswordCredential';
    const credential = { type, username, password, form: new Map() } as const;
    const context = { clientAddress: currentClientAddress() ?? '', entryPoint: 'rest' } as const;
    const login = this.authenticator.authenticate(credential, context);
    const principal = (await login.catch(refusedPassword))?.principal;
    if (principal === undefined) return undefined;
    const role = roleOf(principal, [['operator', management]]);
    if (role === undefined) throw forbidden(request, 'Request is not authorized', principal.id);
    return { name: principal.id, role, via: 'password' };
  }

  /** In profile dev, and only without a token and a role. */
  private byMachine(request: IncomingMessage): Operator | undefined {
    const { token, hasRole } = this.settings.management;
    if (token !== undefined || hasRole) return undefined;
    if (!this.settings.isActive('dev')) {
      throw forbidden(request, `nobody may manage this server; ${REMEDY}`);
    }
    const reason = reasonNotLocal(request);
    if (reason !== undefined) {
      const rule = `only programs of its machine may manage this server: ${reason}`;
      throw forbidden(request, `${rule}; ${REMEDY}`);
    }
    return { name: 'local program', role: 'operator', via: 'local program' };
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
}

/** Operators are not told why a password is refused. */
function refusedPassword(error: unknown): undefined {
  if (!(error instanceof PasswordError)) throw error;
}
