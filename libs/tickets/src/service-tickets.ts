// Grants and validates service tickets.
import {
  hasAttributeRules,
  isAuthorised,
  isEnabled,
  mayProxyTo,
  type Principal,
  type RegisteredService,
  type ServiceRegistry,
} from '@tessera/services';
import { grantingTicketNotFound, ServiceMismatchError, TicketError } from './errors.js';
import { canonicalService, isSameService } from './service-url.js';
import { reportGranted, reportRefused, presentedKind, reasonOf } from './report-grants.js';
import type { TicketObserver } from './ticket-events.js';
import { parseTicketId, type TicketId } from './ticket-id.js';
import type { ConsumedTicket, Grant, ProxySession, TicketRegistry } from './ticket-registry.js';

/** The result of a successful validation. */
export interface Assertion extends ConsumedTicket {
  /** The registration of the service it was issued for. */
  readonly registeredService: RegisteredService;
}

export interface ValidationRequest {
  readonly ticket: string;
  readonly service: string;
  /** The ticket must come from presented credentials, not from an existing session. */
  readonly renew: boolean;
  /** Whether this endpoint accepts PTs. */
  readonly acceptsProxyTickets: boolean;
}

export interface ServiceTicketsOptions {
  /** Whether services are recorded, so that they are told when the session ends. */
  readonly singleLogout: boolean;
  /** Called for each ticket that is granted, validated or refused. */
  readonly observe?: TicketObserver;
}

export class ServiceTickets {
  private readonly observe: TicketObserver;

  constructor(
    private readonly registry: TicketRegistry,
    private readonly services: Pick<ServiceRegistry, 'match' | 'owners'>,
    private readonly options: ServiceTicketsOptions = { singleLogout: false },
  ) {
    this.observe = options.observe ?? ((): void => {});
  }

  /** The registration of a service that may use this server; undefined where it is not registered, or disabled. */
  enabledRegistration(service: string): RegisteredService | undefined {
    const registered = this.registrationOf(service);
    return isOpen(registered) ? registered : undefined;
  }

  /** Tells the observer of a service that was refused before a ticket was asked for. @param principal where it is known */
  reportRefusal(service: string, principal?: string): void {
    const reason = 'SERVICE_NOT_AUTHORIZED';
    this.observe({ type: 'refused', operation: 'grant', kind: 'ST', reason, service, principal });
  }

  /**
   * Grants an ST for `service` against a TGT.
   * @throws TicketError SERVICE_NOT_AUTHORIZED, GRANTING_TICKET_NOT_FOUND, NEW_LOGIN_REQUIRED
   * @see CAS 3.0 §3.1
   */
  async grant(
    grantingTicket: string,
    service: string,
    { withCredentials = false }: { readonly withCredentials?: boolean } = {},
  ): Promise<TicketId> {
    const subject = { kind: 'ST', service, session: grantingTicket } as const;
    let principal: string | undefined;
    try {
      const id = parseTicketId(grantingTicket);
      if (id?.kind !== 'TGT') throw grantingTicketNotFound();
      const registered = this.registrationOf(service);
      if (!isOpen(registered) || hasAttributeRules(registered)) {
        // The TGT first, so that a caller without a valid one learns nothing about the registered services.
        const session = await this.registry.findTicketGrantingTicket(id);
        if (session === undefined) throw grantingTicketNotFound();
        principal = session.principal.id;
        if (!isOpenTo(registered, session.principal)) throw serviceNotAuthorized();
      }
      const grant = await this.registry.grantServiceTicket({
        grantingTicket: id,
        service,
        withCredentials,
        newLoginOnly: !registered.ssoEnabled,
        lifetime: milliseconds(registered.serviceTicketLifetime),
      });
      if (grant.outcome !== 'granted') throw refusalOf(grant.outcome);
      return reportGranted(grant, subject, this.observe);
    } catch (error) {
      throw reportRefused(error, { ...subject, principal }, this.observe);
    }
  }

  /**
   * Grants a PT for `service` against a PGT, whose own service must still be allowed to proxy.
   * @throws TicketError GRANTING_TICKET_NOT_FOUND, SERVICE_NOT_AUTHORIZED. A service with `ssoEnabled: false` is refused,
   *   because a PT is never a new login.
   * @see CAS 3.0 §2.7, §3.2
   */
  async grantProxy(grantingTicket: string, service: string): Promise<TicketId> {
    const subject = { kind: 'PT', service, session: grantingTicket } as const;
    let principal: Principal | undefined;
    try {
      const id = parseTicketId(grantingTicket);
      if (id?.kind !== 'PGT') throw grantingTicketNotFound();
      const session = await this.registry.findProxyGrantingTicket(id);
      principal = session?.authentication.principal;
      if (session === undefined || !this.mayStillProxy(session)) throw grantingTicketNotFound();
      const registered = this.registrationOf(service);
      if (!isOpenTo(registered, session.authentication.principal) || !registered.ssoEnabled) {
        throw serviceNotAuthorized();
      }
      const lifetime = milliseconds(registered.proxyTicketLifetime);
      const grant = await this.registry.grantProxyTicket(id, service, lifetime);
      if (grant.outcome !== 'granted') throw grantingTicketNotFound();
      return reportGranted(grant, subject, this.observe);
    } catch (error) {
      throw reportRefused(error, { ...subject, principal: principal?.id }, this.observe);
    }
  }

  /**
   * Validates a ticket. Consumes it first, whatever the outcome.
   * @throws TicketError INVALID_TICKET, INVALID_SERVICE (ServiceMismatchError), UNAUTHORIZED_SERVICE
   * @see CAS 3.0 §2.5.3 (a ticket is invalid after the first attempt, successful or not)
   */
  async validate(request: ValidationRequest): Promise<Assertion> {
    const { service } = request;
    const kind = presentedKind(request.ticket);
    let principal: string | undefined;
    try {
      const consumed = await this.consume(request);
      if (consumed === undefined) throw invalidTicket();
      principal = consumed.authentication.principal.id;
      const registeredService = this.check(consumed, request);
      this.observe({ type: 'validated', kind: kind === 'PT' ? 'PT' : 'ST', service, principal });
      return { ...consumed, registeredService };
    } catch (error) {
      const reason = reasonOf(error);
      this.observe({ type: 'refused', operation: 'validate', kind, reason, service, principal });
      throw error;
    }
  }

  private consume({
    ticket,
    service,
  }: ValidationRequest): Promise<ConsumedTicket | undefined> | undefined {
    const id = parseTicketId(ticket);
    return id && this.registry.consume(id, { recordsService: this.isRecorded(service) });
  }

  private check(consumed: ConsumedTicket, request: ValidationRequest): RegisteredService {
    const isProxyTicket = presentedKind(request.ticket) === 'PT';
    if (isProxyTicket && !request.acceptsProxyTickets) throw invalidTicket();
    if (!isSameService(consumed.service, request.service)) {
      throw new ServiceMismatchError(consumed.service);
    }
    if (request.renew && !consumed.fromNewLogin) throw invalidTicket();
    const registeredService = this.registrationOf(consumed.service, request.service);
    if (!isOpenTo(registeredService, consumed.authentication.principal)) {
      throw new TicketError('UNAUTHORIZED_SERVICE', 'the service is not authorized');
    }
    return registeredService;
  }

  /** Only a service that is told when the session ends. */
  private isRecorded(service: string): boolean {
    return this.options.singleLogout && this.services.match(service)?.logoutType !== 'none';
  }

  private mayStillProxy({ authentication, proxy }: ProxySession): boolean {
    const registered = proxy && this.registrationOf(proxy.service);
    return (
      isOpenTo(registered, authentication.principal) &&
      mayProxyTo(registered, proxy?.callbackUrl ?? '')
    );
  }

  /**
   * The registration that decides about a service. Undefined where the canonical or the presented spelling of the service
   * belongs to another registration. Otherwise a caller could get a ticket under a spelling that an open registration
   * matches, and validate it under a spelling that belongs to a closed one.
   */
  registrationOf(service: string, presented = service): RegisteredService | undefined {
    const registered = this.services.match(service);
    if (registered === undefined) return undefined;
    const others = [presented, canonicalService(service)].filter((other) => other !== service);
    const owners = others.flatMap((other) => this.services.owners(other));
    return owners.every(({ id }) => id === registered.id) ? registered : undefined;
  }
}

function isOpenTo(
  service: RegisteredService | undefined,
  principal: Principal,
): service is RegisteredService {
  return service !== undefined && isAuthorised(service, principal, Date.now());
}

function milliseconds(seconds: number | null): number | undefined {
  return seconds === null ? undefined : seconds * 1_000;
}

function isOpen(service: RegisteredService | undefined): service is RegisteredService {
  return service !== undefined && isEnabled(service, Date.now());
}

function refusalOf(outcome: Exclude<Grant['outcome'], 'granted'>): TicketError {
  switch (outcome) {
    case 'granting-ticket-not-found':
      return grantingTicketNotFound();
    case 'new-login-required':
      return new TicketError(
        'NEW_LOGIN_REQUIRED',
        'The service takes no part in single sign-on: a new login is required',
      );
  }
}

function serviceNotAuthorized(): TicketError {
  const message = 'The service is not authorized to use this server';
  return new TicketError('SERVICE_NOT_AUTHORIZED', message);
}

function invalidTicket(): TicketError {
  return new TicketError('INVALID_TICKET', 'the ticket is not recognized');
}
