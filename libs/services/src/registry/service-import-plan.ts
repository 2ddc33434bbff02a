// What importing definitions would do to the services there are. Decides; writes nothing.
import { isDeepStrictEqual } from 'node:util';
import type { RegisteredService, ServiceDefinition } from '../registered-service.js';
import type { StoredService } from './stored-service.js';

/** A definition from elsewhere, with the id it has there. */
export interface ServiceImport {
  readonly importId: string | null;
  readonly definition: ServiceDefinition;
}

export type ImportOutcome = 'added' | 'changed' | 'unchanged';

export interface PlannedImport extends ServiceImport {
  readonly outcome: ImportOutcome;
  /** The row it replaces. */
  readonly id: string | undefined;
}

/**
 * Finds for each definition the service it stands for: the one imported under the same id, else one
 * of the same serviceId and name that has no such id.
 */
export function planImport(
  imports: readonly ServiceImport[],
  stored: readonly StoredService[],
): readonly PlannedImport[] {
  const known = new Map(stored.map((each) => [keyOf(each.importId, each.service), each]));
  return imports.map((each) => {
    const { importId, definition } = each;
    const found = known.get(keyOf(importId, definition)) ?? known.get(keyOf(null, definition));
    if (found === undefined) return { ...each, outcome: 'added', id: undefined };
    // A row is replaced once.
    known.delete(keyOf(found.importId, found.service));
    return {
      ...each,
      outcome: isSame(found, each) ? 'unchanged' : 'changed',
      id: found.service.id,
    };
  });
}

/** The services there are once the plan is carried out. Added ones have no id and no salt yet. */
export function servicesAfter(
  stored: readonly RegisteredService[],
  plan: readonly PlannedImport[],
): readonly RegisteredService[] {
  const replaced = new Set(plan.map(({ id }) => id));
  const planned = plan.map(({ id = '0', definition }) => ({
    ...definition,
    id,
    pseudonymSalt: '',
  }));
  return [...stored.filter(({ id }) => !replaced.has(id)), ...planned];
}

/** What makes two definitions the same service. */
export function keyOf(
  importId: string | null,
  { serviceId, name }: Pick<ServiceDefinition, 'serviceId' | 'name'>,
): string {
  return JSON.stringify(importId === null ? [serviceId, name] : [importId]);
}

function isSame({ importId, service, faults }: StoredService, given: ServiceImport): boolean {
  const { id: _id, pseudonymSalt: _salt, ...definition } = service;
  return (
    importId === given.importId &&
    faults.length === 0 &&
    isDeepStrictEqual(definition, given.definition)
  );
}
