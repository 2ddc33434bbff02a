// The entity of the table `registered_service`, and the service that a row defines.
import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import type { RegisteredService, ServiceDefinition } from '../registered-service.js';
import { inspectFields } from '../service-definition.js';
import type { FieldViolation } from '../service-error.js';
import { readRequirements, storedRequirements } from './stored-requirements.js';

@Entity({ name: 'registered_service' })
export class RegisteredServiceEntity {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  readonly id!: string;

  /** The transaction that last wrote the row, also one of another program. */
  @Column({ name: 'xmin', type: 'text', insert: false, update: false })
  readonly revision!: string;

  /** The id in the imported file; null for a service without one. */
  @Column({ name: 'import_id', type: 'bigint', nullable: true })
  readonly importId!: string | null;

  /** Whether a user registered it over REST, and no operator has changed it since. */
  @Column({ name: 'registered_over_rest', type: 'boolean' })
  readonly registeredOverRest!: boolean;

  /** The column is never null: programs before migration 0031 could not read any service. */
  @Column({
    name: 'service_id',
    type: 'text',
    transformer: {
      from: (stored: string): string | null => (stored === '' ? null : stored),
      to: (serviceId: string | null): string => serviceId ?? '',
    },
  })
  readonly serviceId!: string | null;

  @Column({ name: 'client_id', type: 'text', nullable: true })
  readonly clientId!: string | null;

  @Column({ type: 'jsonb', nullable: true })
  readonly client!: object | null;

  @Column({ type: 'text' })
  readonly name!: string;

  @Column({ type: 'text' })
  readonly description!: string;

  @Column({ name: 'evaluation_order', type: 'integer' })
  readonly evaluationOrder!: number;

  @Column({ type: 'boolean' })
  readonly enabled!: boolean;

  @Column({ name: 'expires_at', type: 'timestamptz', nullable: true })
  readonly expiresAt!: Date | null;

  @Column({ name: 'sso_enabled', type: 'boolean' })
  readonly ssoEnabled!: boolean;

  // Other programs may write any JSON: it is validated when it is read.
  @Column({ name: 'required_attributes', type: 'jsonb' })
  readonly requiredAttributes!: object;

  @Column({ name: 'require_all_attributes', type: 'boolean' })
  readonly requireAllAttributes!: boolean;

  @Column({ name: 'rejected_attributes', type: 'jsonb' })
  readonly rejectedAttributes!: object;

  @Column({ name: 'unauthorized_redirect_url', type: 'text', nullable: true })
  readonly unauthorizedRedirectUrl!: string | null;

  @Column({ name: 'attribute_release', type: 'jsonb' })
  readonly attributeRelease!: object;

  @Column({ name: 'default_attributes', type: 'boolean' })
  readonly defaultAttributes!: boolean;

  @Column({ name: 'released_values', type: 'jsonb' })
  readonly releasedValues!: object;

  @Column({ name: 'protocol_attributes', type: 'boolean' })
  readonly protocolAttributes!: boolean;

  @Column({ name: 'username_attribute', type: 'jsonb' })
  readonly usernameAttribute!: object;

  @Column({ name: 'proxy_policy', type: 'jsonb' })
  readonly proxyPolicy!: object;

  @Column({ name: 'response_type', type: 'text' })
  readonly responseType!: string;

  @Column({ name: 'service_ticket_lifetime', type: 'integer', nullable: true })
  readonly serviceTicketLifetime!: number | null;

  @Column({ name: 'proxy_ticket_lifetime', type: 'integer', nullable: true })
  readonly proxyTicketLifetime!: number | null;

  @Column({ name: 'logout_type', type: 'text' })
  readonly logoutType!: string;

  @Column({ name: 'logout_url', type: 'text', nullable: true })
  readonly logoutUrl!: string | null;

  @Column({ type: 'jsonb' })
  readonly properties!: object;

  /** Created by the database for a new row, and never changed. */
  @Column({ name: 'pseudonym_salt', type: 'text', insert: false, update: false })
  readonly pseudonymSalt!: string;

  @Column({ name: 'created_at', type: 'timestamptz', insert: false, update: false })
  readonly createdAt!: Date;

  @Column({ name: 'updated_at', type: 'timestamptz', insert: false })
  readonly updatedAt!: Date;
}

/**
 * A service as it is stored. One with violations is disabled: it still matches its URLs, so that they are refused and no
 * later service gets them.
 */
export interface StoredService {
  /** Changes whenever the row is written. */
  readonly revision: string;
  readonly importId: string | null;
  /** Whether a user registered it over REST, and no operator has changed it since. */
  readonly registeredOverRest: boolean;
  readonly service: RegisteredService;
  /** Without violations of patterns: see `ServiceSnapshot.unmatchable`. */
  readonly violations: readonly FieldViolation[];
}

export function readRow(row: RegisteredServiceEntity): StoredService {
  const { id, revision, importId, registeredOverRest, pseudonymSalt } = row;
  const { serviceId, clientId, name } = row;
  const { definition, violations } = inspectFields(definitionFields(row));
  const enabled = definition.enabled && violations.length === 0;
  return {
    revision,
    importId,
    registeredOverRest,
    service: { ...definition, id, pseudonymSalt, serviceId, clientId, name, enabled },
    violations,
  };
}

type StoredOtherwise = Pick<RegisteredServiceEntity, 'requiredAttributes' | 'expiresAt'>;

/** The columns that store a definition. */
export function columnsFor(
  definition: ServiceDefinition,
): Omit<ServiceDefinition, keyof StoredOtherwise> & StoredOtherwise {
  const { expiresAt } = definition;
  return {
    ...definition,
    requiredAttributes: storedRequirements(definition),
    expiresAt: expiresAt === null ? null : new Date(expiresAt),
  };
}

/** The fields of the definition, not yet validated. */
export function definitionFields(
  row: RegisteredServiceEntity,
): Readonly<Record<keyof ServiceDefinition, unknown>> {
  const { id: _id, revision: _revision, importId: _importId, ...others } = row;
  const { pseudonymSalt: _salt, createdAt: _created, updatedAt: _updated, ...rest } = others;
  const { registeredOverRest: _origin, ...fields } = rest;
  const { requiredAttributes, expiresAt } = fields;
  return {
    ...fields,
    requiredAttributes: readRequirements(requiredAttributes),
    // `infinity` is a number.
    expiresAt: expiresAt instanceof Date ? expiresAt.toISOString() : expiresAt,
  };
}
