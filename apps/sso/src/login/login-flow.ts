// Decides what /login answers: a form, a page, or a redirect to the application with a ticket.
import { Injectable } from '@nestjs/common';
import { currentClientAddress, loggerFor, withoutQuery } from '@tessera/logging';
import type { RegisteredService } from '@tessera/services';
import {
  type Authentication,
  ServiceTickets,
  type SessionDetails,
  TicketError,
} from '@tessera/tickets';
import { ThrottledError } from '@tessera/throttling';
import type { UsernamePasswordCredential } from '../authentication/authentication-handler.js';
import { Authenticator } from '../authentication/authenticator.js';
import { PasswordError, type PasswordErrorCode } from '../authentication/password-error.js';
import { BrowserSession, type Session, type StartedSession } from './browser-session.js';
import { LoginForms, type LoginFormState } from './login-forms.js';
import type { LoginRequest } from './login-request.js';
import type { ShownApplication } from './pages.js';
import { isRedirectable, toAscii, withParameter } from './redirect-url.js';

const log = loggerFor('login');

/** Strangers choose the URL. */
const MAX_LOGGED_URL = 256;

/** Why a form is shown again. */
export type FormProblem =
  | {
      readonly kind: 'credentials-missing' | 'credentials-refused' | 'form-expired' | 'form-used';
    }
  /** The password is right, but has expired or must be changed first. */
  | { readonly kind: 'password'; readonly code: PasswordErrorCode }
  /** `retryAfter` in seconds. */
  | { readonly kind: 'throttled'; readonly retryAfter: number };

interface CredentialsRequired {
  readonly kind: 'credentials-required';
  /** The registration of the service of the request; undefined without a service. */
  readonly service: RegisteredService | undefined;
  readonly problem?: FormProblem;
}

export interface ServiceRefused {
  readonly kind: 'service-refused';
  /** `unregistered` also for a disabled service; `user` where this user may not use it. */
  readonly reason: 'unregistered' | 'user';
  /** Named by its host where it is not registered; undefined where its URL has none. */
  readonly application: ShownApplication | undefined;
  /** Of the registration: where to send the browser in place of a page. */
  readonly redirectUrl: string | undefined;
}

export type LoginOutcome =
  | CredentialsRequired
  | ServiceRefused
  | { readonly kind: 'confirmation-required'; readonly service: RegisteredService | undefined }
  | {
      readonly kind: 'signed-in';
      readonly session: Session;
      /** The registered services that the session signed in to, of those that are told of its end. */
      readonly applications: readonly ShownApplication[];
      readonly others: readonly SessionDetails[];
    }
  | { readonly kind: 'redirect'; readonly url: string }
  | {
      readonly kind: 'post';
      readonly url: string;
      readonly parameter: string;
      readonly ticket: string;
    }
  | {
      readonly kind: 'logged-in';
      readonly session: StartedSession;
      /** Undefined without a service. */
      readonly next: LoginOutcome | undefined;
    };

/** A form, as a browser sent it. */
export interface SubmittedForm {
  /** Undefined where the field `execution` is not from this server. */
  readonly state: LoginFormState | undefined;
  /** Of the form, or else of the address. */
  readonly login: LoginRequest;
  /** Undefined where the user name or the password is missing. */
  readonly credential: UsernamePasswordCredential | undefined;
  readonly rememberMe: boolean;
  readonly clientAddress: string;
  /** The session that the browser has. */
  readonly session: Session | undefined;
}

@Injectable()
export class LoginFlow {
  constructor(
    private readonly serviceTickets: ServiceTickets,
    private readonly authenticator: Authenticator,
    private readonly forms: LoginForms,
    private readonly sessions: BrowserSession,
  ) {}

  /** The answer to a request for the login page. */
  async begin(login: LoginRequest, session: Session | undefined): Promise<LoginOutcome> {
    const { service, renew, gateway } = login;
    const form = this.ask(login, session);
    if (form.kind === 'service-refused') return form;
    if (session && !renew) {
      if (service === undefined) {
        return this.describe(session);
      }
      if (session.warn && form.service?.ssoEnabled) {
        return { kind: 'confirmation-required', service: form.service };
      }
      const outcome = await this.grant(session, login, { withCredentials: false });
      if (outcome && !(gateway && outcome.kind === 'service-refused')) return outcome;
    }
    return gateway && service !== undefined ? { kind: 'redirect', url: toAscii(service) } : form;
  }

  private async describe(session: Session): Promise<LoginOutcome> {
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

  /** A form for credentials, where the service of the request may be used. */
  private ask(
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

  /** The registration of a service to which browsers may be sent: enabled, and with a safe URL. */
  registrationOf(service: string): RegisteredService | undefined {
    return isRedirectable(service) ? this.serviceTickets.enabledRegistration(service) : undefined;
  }

  /** The state in a field `execution`; undefined for a text that is not from this server. */
  openForm(execution: string): Promise<LoginFormState | undefined> {
    return this.forms.open(execution);
  }

  /** The answer to a form: a login with its credentials, or the confirmation of one. */
  async submit({ state, login, ...submitted }: SubmittedForm): Promise<LoginOutcome> {
    const asked = this.ask(login, submitted.session);
    if (asked.kind === 'service-refused') return asked;
    if (state === undefined || this.forms.isExpired(state)) {
      return { ...asked, problem: { kind: 'form-expired' } };
    }
    return state.step === 'confirmation'
      ? this.confirm(state, submitted.session, asked)
      : this.logIn(state, submitted, asked);
  }

  private async confirm(
    form: LoginFormState,
    session: Session | undefined,
    asked: CredentialsRequired,
  ): Promise<LoginOutcome> {
    if (session === undefined) return asked;
    if (!(await this.forms.claim(form))) return { ...asked, problem: { kind: 'form-used' } };
    return (await this.grant(session, form.login, { withCredentials: false })) ?? asked;
  }

  private async logIn(
    form: LoginFormState,
    {
      credential,
      rememberMe,
      clientAddress,
      session: previous,
    }: Omit<SubmittedForm, 'state' | 'login'>,
    asked: CredentialsRequired,
  ): Promise<LoginOutcome> {
    if (credential === undefined) return { ...asked, problem: { kind: 'credentials-missing' } };
    const authentication = await this.authenticate(credential, clientAddress);
    if (authentication instanceof ThrottledError) {
      const { retryAfter } = authentication;
      return { ...asked, problem: { kind: 'throttled', retryAfter } };
    }
    if (authentication instanceof PasswordError) {
      return { ...asked, problem: { kind: 'password', code: authentication.code } };
    }
    if (authentication === undefined) {
      return { ...asked, problem: { kind: 'credentials-refused' } };
    }
    if (!(await this.forms.claim(form))) return { ...asked, problem: { kind: 'form-used' } };
    const session = await this.sessions.start(authentication, previous, rememberMe);
    const next =
      form.login.service === undefined
        ? undefined
        : await this.grant({ ...session, authentication }, form.login, { withCredentials: true });
    return { kind: 'logged-in', session, next };
  }

  private async authenticate(
    credential: UsernamePasswordCredential,
    clientAddress: string,
  ): Promise<Authentication | ThrottledError | PasswordError | undefined> {
    try {
      const context = { clientAddress, entryPoint: 'login' } as const;
      return await this.authenticator.authenticate(credential, context);
    } catch (error) {
      if (error instanceof ThrottledError || error instanceof PasswordError) return error;
      throw error;
    }
  }

  /** Sends the browser to the service with a ticket; undefined where the session does not suffice for one. */
  private async grant(
    { tgt, authentication }: Pick<Session, 'tgt' | 'authentication'>,
    login: LoginRequest,
    options: { readonly withCredentials: boolean },
  ): Promise<LoginOutcome | undefined> {
    const { service = '', ticketParameter: parameter } = login;
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
