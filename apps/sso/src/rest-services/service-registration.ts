// Owns registering a service on somebody's behalf: whether they may, and that it is known afterwards who did.
import { Inject } from '@nestjs/common';
import { AuditTrail, type AuditAttempt } from '@tessera/audit';
import { ServiceRegistry, type Principal, type ServiceDefinition } from '@tessera/services';
import type { ReloadableResource } from '@tessera/settings';
import type { RequiredRole } from '../roles/required-role.js';
import type { SsoSettings } from '../settings.js';

/** Injection token of the role that lets a principal register services. */
export const REGISTRATION_ROLE = Symbol('REGISTRATION_ROLE');

/** The one of the settings in force. */
export type RegistrationRole = ReloadableResource<SsoSettings, RequiredRole>;

/** Who asks, and from where. */
export interface Registrar {
  readonly principal: Principal;
  /** The id of the TGT they came with. */
  readonly session: string;
  readonly clientAddress: string;
}

export class ServiceRegistration {
  constructor(
    @Inject(REGISTRATION_ROLE) private readonly role: RegistrationRole,
    @Inject(ServiceRegistry) private readonly services: ServiceRegistry,
    @Inject(AuditTrail) private readonly trail: AuditTrail,
  ) {}

  /** Whether the registrar has the role; that one has not is told in the log. */
  admits(registrar: Registrar): boolean {
    const isAdmitted = this.role.value.isHeldBy(registrar.principal);
    if (!isAdmitted) this.trail.tellRefusal(attemptOf(registrar));
    return isAdmitted;
  }

  /**
   * Adds the service and its entry in the audit trail, in one transaction. It can be used here when this returns.
   * @returns the id the database has given it
   * @throws DatabaseError DATABASE_UNAVAILABLE
   */
  async register(definition: ServiceDefinition, registrar: Registrar): Promise<string> {
    const { serviceId, name, description, evaluationOrder, enabled, ssoEnabled } = definition;
    const details = { serviceId, name, description, evaluationOrder, enabled, ssoEnabled };
    const eventOf = (id: string) => ({ ...attemptOf(registrar), subject: id, details });
    const { id } = await this.services.add(definition, (added, transaction) =>
      this.trail.record(eventOf(added.id), transaction),
    );
    this.trail.tell(eventOf(id));
    return id;
  }
}

function attemptOf({ principal, session, clientAddress }: Registrar): AuditAttempt {
  return { action: 'REGISTER_SERVICE', principal: principal.id, session, clientAddress };
}
