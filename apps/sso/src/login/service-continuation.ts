// Sign-ins that continue with a service: it gets a service ticket. @see CAS 3.0 §2.2.4
import { Injectable } from '@nestjs/common';
import { currentClientAddress, loggerFor, withoutQuery } from '@tessera/logging';
import type { RegisteredService } from '@tessera/services';
import { ServiceTickets, TicketError } from '@tessera/tickets';
import type { Session } from './browser-session.js';
import type { LoginOutcome, ServiceRefused, SignInApplication } from './login-outcome.js';
import type { LoginRequest } from './login-request.js';
import { imageOrigin, type ShownApplication } from './pages.js';
import { isRedirectable, toAscii, withParameter } from '../protocol/redirect-url.js';
import type { SignInContinuation } from './sign-in-continuation.js';

const log = loggerFor('login');

/** Strangers choose the URL. */
const MAX_LOGGED_URL = 256;

@Injectable()
export class ServiceContinuation implements SignInContinuation {
  constructor(private readonly serviceTickets: ServiceTickets) {}

  applicationOf({ service = '' }: LoginRequest): SignInApplication | undefined {
    const registered = this.registrationOf(service);
    if (registered === undefined) return undefined;
    const { name, ssoEnabled, properties } = registered;
    return { name, host: URL.parse(service)?.host, logo: logoIn(properties), ssoEnabled };
  }

  refuse({ service = '' }: LoginRequest, session: Session | undefined): ServiceRefused {
    const principal = session?.authentication.principal.id;
    this.serviceTickets.reportRefusal(service, principal);
    return this.refused(service, 'unregistered', principal);
  }

  /** With a service ticket. */
  async proceed(
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
        return this.refused(service, 'user', authentication.principal.id);
      }
      return undefined;
    }
  }

  shown(application: string): ShownApplication | undefined {
    const name = this.registrationOf(application)?.name;
    return name === undefined ? undefined : { name, host: URL.parse(application)?.host };
  }

  leave({ service = '', gateway }: LoginRequest): LoginOutcome | undefined {
    return gateway ? { kind: 'redirect', url: toAscii(service) } : undefined;
  }

  /** The registration of a service to which browsers may be sent: enabled, and with a safe URL. */
  registrationOf(service: string): RegisteredService | undefined {
    return isRedirectable(service) ? this.serviceTickets.enabledRegistration(service) : undefined;
  }

  /** Logs the refusal. */
  private refused(
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

/** The image that an operator chose, where our pages may show it. */
function logoIn({ logo }: RegisteredService['properties']): string | undefined {
  return imageOrigin(logo) === undefined ? undefined : logo;
}
