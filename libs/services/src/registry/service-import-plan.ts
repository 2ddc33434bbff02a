// Plans an import: which definitions add a service, change one, or change nothing.
import { isDeepStrictEqual } from 'node:util';
import type { RegisteredService, ServiceDefinition } from '../registered-service.js';
import type { StoredService } from './registered-service.entity.js';

/** A definition from another system, with its id there. */
export interface ServiceImport {
  readonly importId: string | null;
  readonly definition: ServiceDefinition;
  /** The key of pseudonyms of the other system; undefined where the service keeps its own. */
  readonly pseudonymSalt?: string | undefined;
}

export type ImportOutcome = 'added' | 'changed' | 'unchanged' | 'removed';

export interface PlannedImport extends ServiceImport {
  readonly outcome: ImportOutcome;
  /** The id of the row it replaces or removes; undefined for an added service. */
  readonly id: string | undefined;
}

/**
 * Finds the stored service of each definition: the one with the same import id, or else one with the same serviceId and
 * name and no import id; of a client, the one with the same clientId.
 *
 * @param retired import ids whose services are removed, unless they are imported
 * @returns the imports in their order, then what is removed
 */
export function planImport(
  imports: readonly ServiceImport[],
  stored: readonly StoredService[],
  retired: readonly string[] = [],
): readonly PlannedImport[] {
  const known = new Map(stored.map((each) => [keyOf(each.importId, each.service), each]));
  const planned = imports.map((each): PlannedImport => {
    const { importId, definition } = each;
    const found =
      known.get(keyOf(importId, definition)) ??
      known.get(keyOf(null, definition)) ??
      clientOf(definition, known);
    if (found === undefined) return { ...each, outcome: 'added', id: undefined };
    // No row is replaced twice.
    known.delete(keyOf(found.importId, found.service));
    return {
      ...each,
      outcome: isSame(found, each) ? 'unchanged' : 'changed',
      id: found.service.id,
    };
  });
  const ids = new Set(retired);
  const removed = [...known.values()].flatMap(({ importId, service }): PlannedImport[] =>
    importId !== null && ids.has(importId)
      ? [{ importId, definition: service, outcome: 'removed', id: service.id }]
      : [],
  );
  return [...planned, ...removed];
}

/** The services after the import. Added ones have no id and no salt yet. */
export function servicesAfter(
  stored: readonly RegisteredService[],
  plan: readonly PlannedImport[],
): readonly RegisteredService[] {
  const replaced = new Set(plan.map(({ id }) => id));
  const kept = plan.filter(({ outcome }) => outcome !== 'removed');
  const planned = kept.map(({ id = '0', definition }) => ({
    ...definition,
    id,
    pseudonymSalt: '',
  }));
  return [...stored.filter(({ id }) => !replaced.has(id)), ...planned];
}

/** The identity of a service: definitions with equal keys are the same service. */
export function keyOf(
  importId: string | null,
  { serviceId, name, clientId }: Pick<ServiceDefinition, 'serviceId' | 'name' | 'clientId'>,
): string {
  if (importId !== null) return JSON.stringify([importId]);
  return JSON.stringify(serviceId === null ? [null, clientId] : [serviceId, name]);
}

/** No two services have one client id. */
function clientOf(
  { clientId }: ServiceDefinition,
  known: ReadonlyMap<string, StoredService>,
): StoredService | undefined {
  if (clientId === null) return undefined;
  return [...known.values()].find(({ service }) => service.clientId === clientId);
}

function isSame({ importId, service, violations }: StoredService, given: ServiceImport): boolean {
  const { id: _id, pseudonymSalt, ...definition } = service;
  return (
    importId === given.importId &&
    pseudonymSalt === (given.pseudonymSalt ?? pseudonymSalt) &&
    violations.length === 0 &&
    isDeepStrictEqual(definition, given.definition)
  );
}
