// What a row of the table says, whoever wrote it: a service, and what is wrong with it.
import type { RegisteredService, ServiceDefinition } from '../registered-service.js';
import { inspectFields } from '../service-definition.js';
import type { FieldFault } from '../service-error.js';
import type { RegisteredServiceEntity } from './registered-service.entity.js';

/**
 * A service as it is kept. Where it has faults it is disabled: its URLs stay its own, and are
 * refused, instead of falling to a service behind it.
 */
export interface StoredService {
  /** Changes whenever the row is written. */
  readonly revision: string;
  readonly importId: string | null;
  readonly service: RegisteredService;
  /** Patterns are not looked at: see `ServiceSnapshot.unmatchable`. */
  readonly faults: readonly FieldFault[];
}

export function readRow(row: RegisteredServiceEntity): StoredService {
  const { id, revision, importId, pseudonymSalt, serviceId, name } = row;
  const { definition, faults } = inspectFields(fieldsOf(row));
  const enabled = definition.enabled && faults.length === 0;
  return {
    revision,
    importId,
    service: { ...definition, id, pseudonymSalt, serviceId, name, enabled },
    faults,
  };
}

/** The columns that make the definition. */
export function fieldsOf(
  row: RegisteredServiceEntity,
): Readonly<Record<keyof ServiceDefinition, unknown>> {
  const { id: _id, revision: _revision, importId: _importId, ...others } = row;
  const { pseudonymSalt: _salt, createdAt: _created, updatedAt: _updated, ...fields } = others;
  return fields;
}
