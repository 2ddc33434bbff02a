// Registers services for principals with the required role, and records it in the audit trail.
import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { AuditTrail, type AuditEvent } from '@tessera/audit';
import { AdmissionError, RequestError } from '@tessera/server';
import {
  findOvertaken,
  InvalidServiceError,
  refuseDuplicate,
  refuseGlobs,
  ServiceRegistry,
  ServiceStore,
  type NewService,
  type Principal,
  type RegisteredService,
} from '@tessera/services';
import { RequiredRole } from '../settings/required-role.js';
import type { SsoSettings } from '../settings/sso-settings.js';
import { REGISTRATION_FIELDS, type RegistrationDto } from './registration.dto.js';
import { ssoConfig } from '../settings/namespaces.js';

/** Injection token of the role that permits registering services. */
export const REGISTRATION_ROLE = Symbol('REGISTRATION_ROLE');

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
    @Inject(REGISTRATION_ROLE) private readonly role: RequiredRole,
    private readonly services: ServiceRegistry,
    private readonly auditTrail: AuditTrail,
    @Inject(ssoConfig.KEY) private readonly settings: SsoSettings,
  ) {}

  /** Whether the registrar has the role; a refusal is recorded. */
  admits(registrar: Registrar): boolean {
    const isAdmitted = this.role.isHeldBy(registrar.principal);
    if (!isAdmitted) this.recordRefusal(registrar);
    return isAdmitted;
  }

  /**
   * Adds the service and its audit event in one transaction. This node matches the service from then on.
   * @returns the id that the database assigned
   * @throws RequestError MALFORMED_REQUEST for a glob or a duplicate; AdmissionError CALLER_NOT_ALLOWED for an order that is
   *   kept for operators; DatabaseError DATABASE_UNAVAILABLE
   */
  async register(registration: RegistrationDto, registrar: Registrar): Promise<string> {
    const service = registrationFields(registration);
    try {
      refuseGlobs(service);
      const added = await this.services.add(service, {
        registeredOverRest: true,
        callback: async (stored, transaction) => {
          await this.refuseOrder(stored, transaction);
          await this.auditTrail.recordIn(transaction, eventOf(stored, registrar));
        },
      });
      this.auditTrail.log(eventOf(added, registrar));
      return added.id;
    } catch (error) {
      if (error instanceof AdmissionError) this.recordRefusal(registrar);
      throw error instanceof InvalidServiceError ? toRequestError(error) : error;
    }
  }

  /** Refuses the pattern and order of another service, and an order before a service of an operator. */
  private async refuseOrder(added: RegisteredService, transaction: EntityManager): Promise<void> {
    const { minOrder } = this.settings.restServices;
    if (added.evaluationOrder < minOrder) {
      throw notAllowed(`evaluationOrder must be at least ${minOrder}`);
    }
    const registered = await ServiceStore.of(transaction).listOutlines();
    refuseDuplicate(added, registered);
    const overtaken = await findOvertaken(added, registered);
    if (overtaken === undefined) return;
    throw notAllowed(
      `the service would come before service ${overtaken.id} (evaluationOrder ${overtaken.evaluationOrder}), ` +
        'which an operator registered and which may match the same URLs: give a higher evaluationOrder or a narrower serviceId',
    );
  }

  private recordRefusal(registrar: Registrar): void {
    const refusal = { outcome: 'failure', reason: 'CALLER_NOT_ALLOWED' } as const;
    this.auditTrail.record({ ...attemptOf(registrar), ...refusal });
  }
}

function notAllowed(reason: string): AdmissionError {
  return new AdmissionError('CALLER_NOT_ALLOWED', 403, reason);
}

/** With all violations, one on each line. */
function toRequestError({ violations }: InvalidServiceError): RequestError {
  const lines = violations.map(({ field, reason }) => `${field} ${reason}`);
  return new RequestError('MALFORMED_REQUEST', lines.join('\n'));
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
