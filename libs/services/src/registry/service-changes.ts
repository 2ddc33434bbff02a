// Writes changes of registered services, and removes secrets and consents that no longer apply.
import type { EntityManager, Repository } from 'typeorm';
import { hasSecrets } from '../client-definition.js';
import { hasNewRedirectOrigin } from '../matching/redirect-patterns.js';
import { ClientSecrets } from './client-secrets-store.js';
import {
  columnsFor,
  RegisteredServiceEntity,
  type StoredService,
} from './registered-service.entity.js';
import type { PlannedImport, ServiceImport } from './service-import-plan.js';

/** Rows read or written at a time, a few milliseconds of work. */
export const PAGE_SIZE = 100;
const NOW = (): string => 'now()';

/** @param before the row as it is, locked */
export async function writeChange(
  change: ReturnType<typeof columnsFor> & { readonly registeredOverRest: boolean },
  { service: before }: StoredService,
  manager: EntityManager,
): Promise<void> {
  const { id } = before;
  await rowsOf(manager).update({ id }, { ...change, updatedAt: NOW });
  if (!hasSecrets(change.client)) await new ClientSecrets(manager).removeAll(id);
  // Users allowed access for the hosts that the page showed, so another host needs a new consent.
  if (hasNewRedirectOrigin(change.client, before.client)) {
    await manager.query('delete from oidc_consent where service_id = $1', [id]);
  }
}

/** Writes all that an import changes. @param stored all services, as they are */
export async function applyPlan(
  plan: readonly PlannedImport[],
  stored: readonly StoredService[],
  manager: EntityManager,
): Promise<void> {
  const rows = rowsOf(manager);
  const changed = new Map(
    plan.flatMap((each) =>
      each.outcome === 'changed' && each.id !== undefined ? [[each.id, each] as const] : [],
    ),
  );
  const removed = plan.flatMap(({ outcome, id }) => (outcome === 'removed' ? (id ?? []) : []));
  // The first write locks the version until the end of the transaction. An update locks its row before the version: to lock
  // rows after the version would deadlock with it.
  await manager.query('select from registered_service where id = any($1) for update', [
    [...changed.keys(), ...removed],
  ]);
  if (removed.length > 0) await rows.delete(removed);
  const added = plan.filter(({ outcome }) => outcome === 'added');
  for (let at = 0; at < added.length; at += PAGE_SIZE) {
    await rows.insert(added.slice(at, at + PAGE_SIZE).map(columnsOf));
  }
  for (const before of stored) {
    const change = changed.get(before.service.id);
    if (change !== undefined) await writeChange(columnsOf(change), before, manager);
  }
  for (const { definition, pseudonymSalt } of plan) {
    if (pseudonymSalt === undefined) continue;
    await manager.query(
      'update registered_service set pseudonym_salt = $2 where client_id = $1 and pseudonym_salt <> $2',
      [definition.clientId, pseudonymSalt],
    );
  }
}

function columnsOf({ importId, definition }: ServiceImport): ReturnType<typeof columnsFor> & {
  readonly importId: string | null;
  readonly registeredOverRest: boolean;
} {
  return { ...columnsFor(definition), importId, registeredOverRest: false };
}

export function rowsOf(manager: EntityManager): Repository<RegisteredServiceEntity> {
  return manager.getRepository(RegisteredServiceEntity);
}
