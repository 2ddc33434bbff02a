// What a sign-in continues with once it has finished: the application of the request, or the page of the session.
import { Inject, Injectable } from '@nestjs/common';
import type { SessionService } from '@tessera/tickets';
import type { PasswordExpiry } from '../authentication/authentication-handler.js';
import type { AcceptedLogin } from '../authentication/authenticator.js';
import { ssoConfig } from '../settings/namespaces.js';
import type { SsoSettings } from '../settings/sso-settings.js';
import { BrowserSession, type Session } from './browser-session.js';
import type { GivenConsents } from './given-consents.js';
import type { Typed } from './login-forms.js';
import type { CredentialsRequired, LoginOutcome, ServiceRefused } from './login-outcome.js';
import type { LoginRequest } from './login-request.js';
import type { ShownApplication } from './pages.js';
import { ServiceContinuation } from './service-continuation.js';
import type { SignInContinuation } from './sign-in-continuation.js';

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
  private interactions: SignInContinuation | undefined;
  private consents: GivenConsents | undefined;

  constructor(
    private readonly services: ServiceContinuation,
    private readonly sessions: BrowserSession,
    @Inject(ssoConfig.KEY) private readonly settings: Pick<SsoSettings, 'passwords'>,
  ) {}

  /** Sign-ins for an interaction continue with it from then on. */
  addInteractions(interactions: SignInContinuation): void {
    this.interactions = interactions;
  }

  /** The page of the session lists them from then on. */
  addConsents(consents: GivenConsents): void {
    this.consents = consents;
  }

  /** A form for credentials, where the sign-in may continue with what the request names. */
  async ask(
    login: LoginRequest,
    session: Session | undefined,
  ): Promise<CredentialsRequired | ServiceRefused> {
    const continuation = this.of(login);
    const application = await continuation?.applicationOf(login);
    if (continuation !== undefined && application === undefined) {
      return continuation.refuse(login, session);
    }
    return { kind: 'credentials-required', application };
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
      const application = await this.of(login)?.applicationOf(login);
      const { handler } = accepted;
      return {
        kind: 'logged-in',
        session,
        next: { kind: 'password-notice', application, expiry, handler, typed, tgt },
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

  /** As {@link SignInContinuation.proceed}; without an application, to the page of the session. */
  async proceed(
    session: Pick<Session, 'tgt' | 'authentication'>,
    login: LoginRequest,
    options: { readonly withCredentials: boolean },
  ): Promise<LoginOutcome | undefined> {
    const continuation = this.of(login);
    if (continuation === undefined) return { kind: 'session-page' };
    return continuation.proceed(session, login, options);
  }

  /** The page of a session. */
  async describe(session: Session): Promise<LoginOutcome> {
    const services = await this.sessions.servicesOf(session);
    const applications = new Map<string, ShownApplication>();
    for (const each of services) {
      const shown = this.shownApplication(each);
      if (shown !== undefined) applications.set(`${shown.name} ${shown.host ?? ''}`, shown);
    }
    return {
      kind: 'signed-in',
      session,
      applications: [...applications.values()],
      consents: (await this.consents?.of(session.authentication.principal.id)) ?? [],
      others: await this.sessions.othersOf(session),
    };
  }

  /** Undefined for one that is not registered any more. */
  private shownApplication({
    protocol,
    application,
  }: SessionService): ShownApplication | undefined {
    if (protocol === 'cas') return this.services.shown(application);
    // Without the module of the protocol, nobody knows its name.
    return this.interactions ? this.interactions.shown(application) : { name: application };
  }

  /** Back to the application without a sign-in; undefined where it has not asked for that. */
  leave(login: LoginRequest): LoginOutcome | undefined {
    return this.of(login)?.leave(login);
  }

  private of({ service, interaction }: LoginRequest): SignInContinuation | undefined {
    if (interaction !== undefined && this.interactions !== undefined) return this.interactions;
    return service === undefined ? undefined : this.services;
  }
}
