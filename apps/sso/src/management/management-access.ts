// Authorizes management requests: by token, by role or, in profile dev without either setting, by a local connection.
import type { IncomingMessage } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import { equalsInConstantTime } from '@tessera/crypto';
import { loggerFor } from '@tessera/logging';
import {
  AdmissionError,
  readAuthorization,
  reasonNotLocal,
  type Authorization,
  ClientAddresses,
} from '@tessera/server';
import type { Principal } from '@tessera/services';
import { ThrottledError } from '@tessera/throttling';
import { Authenticator } from '../authentication/authenticator.js';
import { LoginThrottles } from '../authentication/login-throttles.js';
import { statusOf, type Dialect } from '../protocol/dialect.js';
import { RequiredRole } from '../settings/required-role.js';
import type { ManagementSettings } from '../settings/management-settings.js';
import type { SsoSettings } from '../settings/sso-settings.js';
import { ssoConfig } from '../settings/namespaces.js';

const log = loggerFor('management');

const REMEDY =
  'set sso.management.token, or sso.management.role-name and sso.management.role-value';

type Basic = Extract<Authorization, { scheme: 'basic' }>;

/** How a caller was authorized. */
type Proof = 'token' | 'role' | 'this machine';

/** The user name under which wrong tokens are counted. */
const TOKEN_USERNAME = 'management token';

@Injectable()
export class ManagementAccess {
  constructor(
    @Inject(ssoConfig.KEY) private readonly settings: SsoSettings,
    @Inject(Authenticator) private readonly authenticator: Pick<Authenticator, 'authenticate'>,
    @Inject(ClientAddresses) private readonly addresses: Pick<ClientAddresses, 'of'>,
    @Inject(LoginThrottles) private readonly throttles: Pick<LoginThrottles, 'forEntryPoint'>,
  ) {}

  /**
   * Authorizes a request by the current settings.
   *
   * @returns a description of the caller for the log
   * @throws AdmissionError where the caller is refused
   * @throws any error of the {@link Authenticator} that could not decide
   */
  async admit(request: IncomingMessage): Promise<string> {
    const settings = this.settings;
    const { token, hasRole } = settings.management;
    const clientAddress = this.addresses.of(request);
    if (token === undefined && !hasRole) return admitLocal(request, clientAddress, settings);
    const authorization = readAuthorization(request.headers.authorization);
    if (authorization?.scheme === 'bearer' && token !== undefined) {
      // Accepted from a blocked address too: a random token cannot be guessed.
      const isRight = equalsInConstantTime(authorization.token, token.reveal());
      if (isRight) return logAdmission('token', clientAddress);
      await this.countWrongToken(clientAddress, settings);
    }
    if (authorization?.scheme === 'basic' && hasRole) {
      const principal = await this.logIn(authorization, clientAddress, settings);
      if (principal !== undefined) return admitWithRole(principal, clientAddress, settings);
    }
    throw logRefusal({ clientAddress }, unauthenticated(settings.management));
  }

  /** Counts as a login over REST, so that it cannot bypass the throttle. */
  private async logIn(
    { name: username, password }: Basic,
    clientAddress: string,
    { dialect }: SsoSettings,
  ): Promise<Principal | undefined> {
    // A directory accepts a bind without a password as an anonymous one.
    if (username === '' || password === '') return undefined;
    const type = 'UsernamePasswordCredential';
    const credential = { type, username, password, form: new Map() } as const;
    const context = { clientAddress, entryPoint: 'rest' } as const;
    const login = this.authenticator.authenticate(credential, context);
    return (await mapThrottled(login, dialect))?.principal;
  }

  /** Counts as a failed login from this address. */
  private async countWrongToken(address: string, { dialect }: SsoSettings): Promise<void> {
    const subject = { address, name: TOKEN_USERNAME };
    const throttle = this.throttles.forEntryPoint('rest');
    const isFailure = (): boolean => true;
    await mapThrottled(
      throttle.guard(subject, () => Promise.resolve(), isFailure),
      dialect,
    );
  }
}

/** @throws AdmissionError for a throttled caller */
async function mapThrottled<T>(attempt: Promise<T>, dialect: Dialect): Promise<T> {
  try {
    return await attempt;
  } catch (error) {
    throw error instanceof ThrottledError ? throttled(error, dialect) : error;
  }
}

function admitLocal(
  request: IncomingMessage,
  clientAddress: string,
  settings: SsoSettings,
): string {
  if (!settings.isActive('dev')) throw logRefusal({ clientAddress }, notConfigured());
  const reason = reasonNotLocal(request);
  if (reason !== undefined) throw logRefusal({ clientAddress }, notConfigured(reason));
  return logAdmission('this machine', clientAddress);
}

function admitWithRole(
  principal: Principal,
  clientAddress: string,
  { management }: SsoSettings,
): string {
  const { id } = principal;
  const hasRole = new RequiredRole(management).isHeldBy(principal);
  if (hasRole) return logAdmission('role', clientAddress, id);
  throw logRefusal({ clientAddress, principal: id }, missingRole());
}

/** Logs the admission, and returns a description of the caller. */
function logAdmission(by: Proof, clientAddress: string, principal?: string): string {
  const who = principal !== undefined && { principal };
  log.info({ clientAddress, by, ...who }, 'a caller was admitted');
  return principal === undefined ? clientAddress : `${principal} at ${clientAddress}`;
}

/** Logs the refusal and returns the error. Sent credentials are not logged: they may be a secret of another service. */
function logRefusal(
  caller: { readonly clientAddress: string; readonly principal?: string },
  error: AdmissionError,
): AdmissionError {
  log.warn({ ...caller, reason: error.message }, 'a caller was refused');
  return error;
}

/** Neither token nor role is configured. @param reason why a caller in profile dev is not local */
function notConfigured(reason?: string): AdmissionError {
  const rule =
    reason === undefined
      ? 'nobody may manage this server'
      : `only programs of its machine may manage this server: ${reason}`;
  return new AdmissionError('CALLER_NOT_ALLOWED', 403, `${rule}; ${REMEDY}`);
}

/** The same answer for missing and for wrong credentials. */
function unauthenticated({ token, hasRole }: ManagementSettings): AdmissionError {
  const schemes = [
    ...(token === undefined ? [] : ['Bearer realm="sso"']),
    ...(hasRole ? ['Basic realm="sso", charset="UTF-8"'] : []),
  ];
  const headers = { 'WWW-Authenticate': schemes.join(', ') };
  return new AdmissionError('CALLER_UNKNOWN', 401, 'Authentication is required', headers);
}

function missingRole(): AdmissionError {
  return new AdmissionError('CALLER_NOT_ALLOWED', 403, 'Request is not authorized');
}

/** The same status and text as over REST. */
function throttled(
  { code, message, retryAfter }: ThrottledError,
  dialect: Dialect,
): AdmissionError {
  const headers = { 'Retry-After': String(retryAfter) };
  return new AdmissionError(code, statusOf('throttled', dialect), message, headers);
}
