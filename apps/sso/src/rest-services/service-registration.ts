// Registers services for principals with the required role, and records it in the audit trail.
import { Inject } from '@nestjs/common';
import { AuditTrail, type AuditAttempt } from '@tessera/audit';
import { ServiceRegistry, type Principal, type ServiceDefinition } from '@tessera/services';
import type { ReloadableResource } from '@tessera/settings';
import type { RequiredRole } from '../required-role.js';
import type { SsoSettings } from '../settings.js';

/** Injection token of the role that permits registering services. */
export const REGISTRATION_ROLE = Symbol('REGISTRATION_ROLE');

/** The role of the current settings. */
export type RegistrationRole = ReloadableResource<SsoSettings, RequiredRole>;

/** The caller of a registration. */
export interface Registrar {
  readonly principal: Principal;
  /** The id of the TGT. */
  readonly session: string;
  readonly clientAddress: string;
}

export class ServiceRegistration {
  constructor(
    @Inject(REGISTRATION_ROLE) private readonly role: RegistrationRole,
    @Inject(ServiceRegistry) private readonly services: ServiceRegistry,
    @Inject(AuditTrail) private readonly auditTrail: AuditTrail,
  ) {}

  /** Whether the registrar has the role; a refusal is logged. */
  admits(registrar: Registrar): boolean {
    const isAdmitted = this.role.value.isHeldBy(registrar.principal);
    if (!isAdmitted) this.auditTrail.logRefusal(attemptOf(registrar));
    return isAdmitted;
  }

  /**
   * Adds the service and its audit event in one transaction. This node matches the service from then on.
   * @returns the id that the database assigned
   * @throws DatabaseError DATABASE_UNAVAILABLE
   */
  async register(definition: ServiceDefinition, registrar: Registrar): Promise<string> {
    const { serviceId, name, description, evaluationOrder, enabled, ssoEnabled } = definition;
    const details = { serviceId, name, description, evaluationOrder, enabled, ssoEnabled };
    const eventOf = (id: string) => ({ ...attemptOf(registrar), subject: id, details });
    const { id } = await this.services.add(definition, (added, transaction) =>
      this.auditTrail.record(eventOf(added.id), transaction),
    );
    this.auditTrail.logEvent(eventOf(id));
    return id;
  }
}

function attemptOf({ principal, session, clientAddress }: Registrar): AuditAttempt {
  return { action: 'REGISTER_SERVICE', principal: principal.id, session, clientAddress };
}
