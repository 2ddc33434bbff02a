// Registers services for principals with the required role, and records it in the audit trail.
import { Inject, Injectable } from '@nestjs/common';
import { AuditTrail, type AuditEvent } from '@tessera/audit';
import {
  ServiceRegistry,
  type NewService,
  type Principal,
  type RegisteredService,
} from '@tessera/services';
import type { ReloadableResource } from '@tessera/config';
import type { RequiredRole } from '../required-role.js';
import type { SsoSettings } from '../settings.js';
import { REGISTRATION_FIELDS, type RegistrationDto } from './registration.dto.js';

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

@Injectable()
export class ServiceRegistration {
  constructor(
    @Inject(REGISTRATION_ROLE) private readonly role: RegistrationRole,
    @Inject(ServiceRegistry) private readonly services: ServiceRegistry,
    @Inject(AuditTrail) private readonly auditTrail: AuditTrail,
  ) {}

  /** Whether the registrar has the role; a refusal is recorded. */
  admits(registrar: Registrar): boolean {
    const isAdmitted = this.role.value.isHeldBy(registrar.principal);
    if (!isAdmitted) {
      const refusal = { outcome: 'failure', reason: 'CALLER_NOT_ALLOWED' } as const;
      this.auditTrail.record({ ...attemptOf(registrar), ...refusal });
    }
    return isAdmitted;
  }

  /**
   * Adds the service and its audit event in one transaction. This node matches the service from then on.
   * @returns the id that the database assigned
   * @throws DatabaseError DATABASE_UNAVAILABLE
   */
  async register(registration: RegistrationDto, registrar: Registrar): Promise<string> {
    const service = registrationFields(registration);
    const added = await this.services.add(service, (stored, transaction) =>
      this.auditTrail.recordIn(transaction, eventOf(stored, registrar)),
    );
    this.auditTrail.log(eventOf(added, registrar));
    return added.id;
  }
}

function eventOf(service: RegisteredService, registrar: Registrar): AuditEvent {
  const details: object = registrationFields(service);
  return {
    ...attemptOf(registrar),
    outcome: 'success',
    subject: service.id,
    details: { ...details },
  };
}

/** The fields that a registration may set, as far as they are given. */
function registrationFields(given: NewService): NewService {
  const fields = REGISTRATION_FIELDS.map((field) => [field, given[field]]);
  return Object.fromEntries(fields.filter(([, value]) => value !== undefined)) as NewService;
}

function attemptOf({ principal, session, clientAddress }: Registrar): Omit<AuditEvent, 'outcome'> {
  return { action: 'REGISTER_SERVICE', principal: principal.id, session, clientAddress };
}
