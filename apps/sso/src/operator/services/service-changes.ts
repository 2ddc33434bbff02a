// Adds, replaces and removes services for operators.
import { Injectable } from '@nestjs/common';
import {
  findShadowing,
  InvalidServiceError,
  refuseDuplicate,
  refuseGlobs,
  serviceNotFound,
  ServiceRegistry,
  ServiceStore,
  type StoredService,
} from '@tessera/services';
import type { Operator } from '../access/operator.js';
import { AuditedChanges } from '../audited-changes.js';
import { requireMatch } from '../entity-tag.js';
import {
  definitionOf,
  withoutSalt,
  type ServiceInput,
  type ServiceNote,
  type ServiceView,
} from './service-view.js';

/** A service that comes first and gets an URL that both match. */
interface Shadow {
  readonly id: string;
  readonly name: string;
  readonly evaluationOrder: number;
  readonly url: string;
}

export interface Registration {
  readonly service: ServiceView;
  readonly notes: readonly ServiceNote[];
  readonly shadowedBy: Shadow | null;
}

/** What is changed, and the entity tag that the caller has seen. */
export interface SeenService {
  readonly id: string;
  readonly tag: string;
}

/**
 * The registry of this process knows each change when a method returns.
 * @throws ServiceError, InvalidServiceError, ProblemError CHANGED_MEANWHILE, DatabaseError
 */
@Injectable()
export class ServiceChanges {
  constructor(
    private readonly changes: AuditedChanges,
    private readonly store: ServiceStore,
    private readonly registry: ServiceRegistry,
  ) {}

  async add(
    { definition, notes }: ServiceInput,
    caller: Operator,
  ): Promise<{ readonly revision: string; readonly registration: Registration }> {
    const { revision, service } = await this.changes.run(caller, async (manager, record) => {
      const store = ServiceStore.of(manager);
      const added = await store.add(definition);
      refuseDuplicate(added, await store.list());
      const { id } = added;
      await record({ action: 'REGISTER_SERVICE', subject: id, details: { ...definition } });
      return require(await store.findStored(id), id);
    });
    await this.registry.refresh();
    const shadowedBy = await this.shadowOf(service);
    return { revision, registration: { service: withoutSalt(service), notes, shadowedBy } };
  }

  async replace(
    { id, tag }: SeenService,
    input: Readonly<Record<string, unknown>>,
    caller: Operator,
  ): Promise<StoredService> {
    const definition = definitionOf(withoutId(input, id));
    const replaced = await this.changes.run(caller, async (manager, record) => {
      const store = ServiceStore.of(manager);
      const { revision, service } = require(await store.findForUpdate(id), id);
      requireMatch(tag, revision);
      refuseGlobs(definition, service);
      const isChanged = await store.update(id, definition);
      const changed = require(await store.findStored(id), id);
      refuseDuplicate(changed.service, await store.list(), service);
      if (isChanged) {
        await record({ action: 'CHANGE_SERVICE', subject: id, details: { ...definition } });
      }
      return changed;
    });
    await this.registry.refresh();
    return replaced;
  }

  async remove({ id, tag }: SeenService, caller: Operator): Promise<void> {
    await this.changes.run(caller, async (manager, record) => {
      const store = ServiceStore.of(manager);
      requireMatch(tag, require(await store.findForUpdate(id), id).revision);
      await store.remove(id);
      await record({ action: 'REMOVE_SERVICE', subject: id });
    });
    await this.registry.refresh();
  }

  private async shadowOf(service: StoredService['service']): Promise<Shadow | null> {
    const shadowing = await findShadowing(service, await this.store.list());
    if (shadowing === undefined) return null;
    const { url, service: first } = shadowing;
    const { id, name, evaluationOrder } = first;
    return { id, name, evaluationOrder, url };
  }
}

/** Takes a service as `GET` shows it. @throws InvalidServiceError for the id of another one */
function withoutId(
  { id: given, ...definition }: Readonly<Record<string, unknown>>,
  id: string,
): Readonly<Record<string, unknown>> {
  if (given === undefined || given === id) return definition;
  throw new InvalidServiceError([{ field: 'id', reason: 'must be the id of the path' }]);
}

/** @throws ServiceError SERVICE_NOT_FOUND */
function require(stored: StoredService | undefined, id: string): StoredService {
  if (stored === undefined) throw serviceNotFound(id);
  return stored;
}
