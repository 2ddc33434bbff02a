// What a sign-in continues with once it has finished: the application of the request, or the page of the session.
import { Inject, Injectable } from '@nestjs/common';
import { currentClientAddress, loggerFor, withoutQuery } from '@tessera/logging';
import type { RegisteredService } from '@tessera/services';
import { ServiceTickets, TicketError } from '@tessera/tickets';
import type { PasswordExpiry } from '../authentication/authentication-handler.js';
import type { AcceptedLogin } from '../authentication/authenticator.js';
import { ssoConfig } from '../settings/namespaces.js';
import type { SsoSettings } from '../settings/sso-settings.js';
import { BrowserSession, type Session } from './browser-session.js';
import type { Typed } from './login-forms.js';
import type { CredentialsRequired, LoginOutcome, ServiceRefused } from './login-outcome.js';
import type { LoginRequest } from './login-request.js';
import type { ShownApplication } from './pages.js';
import { isRedirectable, toAscii, withParameter } from './redirect-url.js';

const log = loggerFor('login');

/** Strangers choose the URL. */
const MAX_LOGGED_URL = 256;

/** A login whose credentials were accepted. */
export interface FinishedLogin {
  readonly login: LoginRequest;
  /** The session that the browser had. */
  readonly previous: Session | undefined;
  readonly typed: Typed;
  /** Whether the user has just changed the password. */
  readonly isNewPassword?: boolean;
}

@Injectable()
export class LoginContinuation {
  constructor(
    private readonly serviceTickets: ServiceTickets,
    private readonly sessions: BrowserSession,
    @Inject(ssoConfig.KEY) private readonly settings: Pick<SsoSettings, 'passwords'>,
  ) {}

  /** A form for credentials, where the sign-in may continue with what the request names. */
  ask(
    { service }: LoginRequest,
    session: Session | undefined,
  ): CredentialsRequired | ServiceRefused {
    if (service === undefined) return { kind: 'credentials-required', service: undefined };
    const registered = this.registrationOf(service);
    if (registered !== undefined) return { kind: 'credentials-required', service: registered };
    const principal = session?.authentication.principal.id;
    this.serviceTickets.reportRefusal(service, principal);
    return this.refuse(service, 'unregistered', principal);
  }

  /** Continues a login with credentials: starts its session, then tells that the password ends soon, or else {@link proceed}s. */
  async afterLogin(accepted: AcceptedLogin, finished: FinishedLogin): Promise<LoginOutcome> {
    const { login, previous, typed, isNewPassword = false } = finished;
    const { passwordExpiry: expiry, ...authentication } = accepted;
    const session = isNewPassword
      ? await this.sessions.startAlone(authentication, previous, typed.rememberMe)
      : await this.sessions.start(authentication, previous, typed.rememberMe);
    const { tgt } = session;
    if (expiry !== undefined && this.endsSoon(expiry) && !isNewPassword) {
      const service = login.service === undefined ? undefined : this.registrationOf(login.service);
      const { handler } = accepted;
      return {
        kind: 'logged-in',
        session,
        next: { kind: 'password-notice', service, expiry, handler, typed, tgt },
      };
    }
    const next = await this.proceed({ tgt, authentication }, login, { withCredentials: true });
    return { kind: 'logged-in', session, next: next ?? { kind: 'session-page' } };
  }

  private endsSoon({ expiresAt, graceLogins }: PasswordExpiry): boolean {
    const { warnBefore } = this.settings.passwords;
    const left = (expiresAt?.getTime() ?? Infinity) - Date.now();
    return warnBefore > 0 && (graceLogins !== undefined || left <= warnBefore);
  }

  /**
   * Continues the sign-in of a session: sends the browser to the service with a ticket. Undefined where the session does not
   * suffice for one.
   *
   * @param options `withCredentials`: whether the user has given them in this sign-in, so that it counts as a new login
   */
  async proceed(
    { tgt, authentication }: Pick<Session, 'tgt' | 'authentication'>,
    login: LoginRequest,
    options: { readonly withCredentials: boolean },
  ): Promise<LoginOutcome | undefined> {
    const { service, ticketParameter: parameter } = login;
    if (service === undefined) return { kind: 'session-page' };
    try {
      const { text: ticket } = await this.serviceTickets.grant(tgt, service, options);
      const isPost = login.isPost ?? this.registrationOf(service)?.responseType === 'post';
      return isPost
        ? { kind: 'post', url: service, parameter, ticket }
        : { kind: 'redirect', url: withParameter(service, parameter, ticket) };
    } catch (error) {
      if (!(error instanceof TicketError)) throw error;
      if (error.code === 'SERVICE_NOT_AUTHORIZED') {
        return this.refuse(service, 'user', authentication.principal.id);
      }
      return undefined;
    }
  }

  /** The page of a session. */
  async describe(session: Session): Promise<LoginOutcome> {
    const services = await this.sessions.servicesOf(session);
    const applications = new Map<string, ShownApplication>();
    for (const { service } of services) {
      const name = this.registrationOf(service)?.name;
      const { host = '' } = URL.parse(service) ?? {};
      if (name !== undefined) applications.set(`${name} ${host}`, { name, host });
    }
    return {
      kind: 'signed-in',
      session,
      applications: [...applications.values()],
      others: await this.sessions.othersOf(session),
    };
  }

  /** Back to the application without a ticket; undefined without an application. */
  leave({ service }: LoginRequest): LoginOutcome | undefined {
    return service === undefined ? undefined : { kind: 'redirect', url: toAscii(service) };
  }

  /** The registration of a service to which browsers may be sent: enabled, and with a safe URL. */
  registrationOf(service: string): RegisteredService | undefined {
    return isRedirectable(service) ? this.serviceTickets.enabledRegistration(service) : undefined;
  }

  /** Logs the refusal. */
  private refuse(
    service: string,
    reason: ServiceRefused['reason'],
    principal: string | undefined,
  ): ServiceRefused {
    const shown = withoutQuery(service).slice(0, MAX_LOGGED_URL);
    const fields = { service: shown, reason, principal, clientAddress: currentClientAddress() };
    log.warn(fields, 'the login page refused a service');
    const host = URL.parse(service)?.host;
    const name = this.registrationOf(service)?.name;
    const application = (name === undefined ? host && { name: host } : { name, host }) || undefined;
    const redirectUrl = this.redirectUrlOf(service);
    return { kind: 'service-refused', reason, application, redirectUrl };
  }

  /** Also of a disabled service. An operator chose the URL: nothing of the request is in it. */
  private redirectUrlOf(service: string): string | undefined {
    if (!isRedirectable(service)) return undefined;
    return this.serviceTickets.registrationOf(service)?.unauthorizedRedirectUrl ?? undefined;
  }
}
