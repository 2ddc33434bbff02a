// Stores registered services in the table `registered_service`, which no other folder uses.
import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Any, type EntityManager, QueryFailedError, type Repository } from 'typeorm';
import { durableTransaction, toDatabaseError } from '@tessera/database';
import { inEvaluationOrder } from '../matching/service-snapshot.js';
import type { NewService, RegisteredService } from '../registered-service.js';
import { inspectDefinition, readDefinition } from '../service-definition.js';
import { clientExists, InvalidServiceError, serviceNotFound } from '../service-error.js';
import {
  columnsFor,
  definitionFields,
  readRow,
  RegisteredServiceEntity,
  type StoredService,
} from './registered-service.entity.js';
import { isRowId } from './row-id.js';
import { applyPlan, PAGE_SIZE, rowsOf, writeChange } from './service-changes.js';
import { planImport, type PlannedImport, type ServiceImport } from './service-import-plan.js';

/** The advisory lock of imports; an arbitrary number. */
const IMPORT_LOCK = 8_377_103;

/** All services, with the number of changes of services so far. */
export interface StoredServices {
  readonly version: string;
  readonly services: readonly StoredService[];
}

/** Writes something else in the transaction of a change, so that both are stored or neither. */
export type TransactionCallback = (
  service: RegisteredService,
  transaction: EntityManager,
) => Promise<void>;

const OUTLINE = {
  id: true,
  serviceId: true,
  name: true,
  evaluationOrder: true,
  enabled: true,
  registeredOverRest: true,
} as const;

/** What decides which service comes first. */
export type ServiceOutline = Pick<RegisteredServiceEntity, keyof typeof OUTLINE>;

export interface AddOptions {
  /** Whether a user registers the service over REST, rather than an operator. */
  readonly registeredOverRest?: boolean;
  readonly callback?: TransactionCallback;
}

/**
 * The registered services in PostgreSQL.
 *
 * @throws InvalidServiceError with all violations of a definition
 * @throws ServiceError SERVICE_NOT_FOUND; CLIENT_EXISTS for the client id of another service
 * @throws DatabaseError DATABASE_UNAVAILABLE; an unavailable database is never an empty registry
 */
@Injectable()
export class ServiceStore {
  constructor(
    @InjectRepository(RegisteredServiceEntity)
    private readonly services: Repository<RegisteredServiceEntity>,
  ) {}

  /** A store outside Nest. */
  static of(source: Pick<EntityManager, 'getRepository'>): ServiceStore {
    return new ServiceStore(source.getRepository(RegisteredServiceEntity));
  }

  async add(
    service: NewService,
    { registeredOverRest = false, callback }: AddOptions = {},
  ): Promise<RegisteredService> {
    const definition = readDefinition(service);
    return this.inTransaction(async (manager) => {
      const { identifiers } = await rowsOf(manager).insert({
        ...columnsFor(definition),
        registeredOverRest,
        importId: null,
      });
      const added = readRow(await rowsOf(manager).findOneByOrFail(identifiers[0] ?? {})).service;
      await callback?.(added, manager);
      return added;
    });
  }

  /**
   * Changes the given fields, for an operator. Concurrent updates of one service lose no change.
   *
   * @returns false where nothing differs; then nothing is written
   */
  async update(id: string, given: Partial<NewService>): Promise<boolean> {
    return this.inTransaction(async (manager) => {
      const lock = { mode: 'pessimistic_write' } as const;
      const row = isRowId(id) ? await rowsOf(manager).findOne({ where: { id }, lock }) : null;
      if (row === null) throw serviceNotFound(id);
      const fields = definitionFields(row);
      const { definition, violations } = inspectDefinition({ ...fields, ...given });
      if (violations.length > 0) throw new InvalidServiceError(violations);
      if (isDeepStrictEqual(definition, fields)) return false;
      const change = { ...columnsFor(definition), registeredOverRest: false };
      await writeChange(change, readRow(row), manager);
      return true;
    });
  }

  async remove(id: string): Promise<void> {
    const removed = isRowId(id) ? await translateErrors(this.services.delete({ id })) : undefined;
    if (!removed?.affected) throw serviceNotFound(id);
  }

  async find(id: string): Promise<RegisteredService | undefined> {
    return (await this.findStored(id))?.service;
  }

  /** A service with the revision of its row, locked until the end of the transaction. @param id any text */
  async findForUpdate(id: string): Promise<StoredService | undefined> {
    const lock = { mode: 'pessimistic_write' } as const;
    const row = isRowId(id)
      ? await translateErrors(this.services.findOne({ where: { id }, lock }))
      : null;
    return row === null ? undefined : readRow(row);
  }

  /** A service with the revision of its row. @param id any text */
  async findStored(id: string): Promise<StoredService | undefined> {
    const row = isRowId(id) ? await translateErrors(this.services.findOneBy({ id })) : null;
    return row === null ? undefined : readRow(row);
  }

  /** The service with this client id. */
  async findByClientId(clientId: string): Promise<RegisteredService | undefined> {
    const row = await translateErrors(this.services.findOneBy({ clientId }));
    return row === null ? undefined : readRow(row).service;
  }

  /** All services in evaluation order. Services with violations are disabled. */
  async list(): Promise<readonly RegisteredService[]> {
    const { services } = await this.readAll();
    return inEvaluationOrder(services.map(({ service }) => service));
  }

  /** All services in one query, without what decides nothing about their order. */
  listOutlines(): Promise<readonly ServiceOutline[]> {
    return translateErrors(this.services.find({ select: OUTLINE }));
  }

  /**
   * All services of one snapshot of the database, read in pages so as not to block the event loop. Reuses `known` services
   * whose rows have not changed.
   */
  readAll(known: readonly StoredService[] = []): Promise<StoredServices> {
    return translateErrors(
      this.services.manager.transaction('REPEATABLE READ', async (manager) => {
        const version = await versionIn(manager);
        return { version, services: await allIn(manager, known) };
      }),
    );
  }

  /** A number that every change of a service increments; cheap to query. */
  version(): Promise<string> {
    return translateErrors(versionIn(this.services.manager));
  }

  /**
   * Adds definitions from another system, or replaces the services imported before; all of them or, on an error, none.
   * Removes those whose import ids are `retired`. Does not write unchanged services. With `dryRun` it only returns the
   * plan.
   */
  async import(
    imports: readonly ServiceImport[],
    { dryRun = false, retired = [] }: StoreImportOptions = {},
  ): Promise<readonly PlannedImport[]> {
    for (const { definition } of imports) readDefinition(definition);
    return this.inTransaction(async (manager) => {
      // Nodes that start at the same time import the same files.
      await manager.query('select pg_advisory_xact_lock($1)', [IMPORT_LOCK]);
      const stored = await allIn(manager);
      const plan = planImport(imports, stored, retired);
      if (!dryRun) await applyPlan(plan, stored, manager);
      return plan;
    });
  }

  private inTransaction<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    return translateErrors(durableTransaction(this.services.manager, work));
  }
}

interface StoreImportOptions {
  readonly dryRun?: boolean;
  readonly retired?: readonly string[];
}

async function allIn(
  manager: EntityManager,
  known: readonly StoredService[] = [],
): Promise<readonly StoredService[]> {
  const revisions = await manager.query<readonly { readonly id: string; readonly xmin: string }[]>(
    'select id, xmin from registered_service',
  );
  const services = new Map(known.map((each) => [each.service.id, each]));
  const changed = revisions.filter(({ id, xmin }) => services.get(id)?.revision !== xmin);
  for (let at = 0; at < changed.length; at += PAGE_SIZE) {
    const id = Any(changed.slice(at, at + PAGE_SIZE).map((each) => each.id));
    for (const row of await rowsOf(manager).findBy({ id })) services.set(row.id, readRow(row));
  }
  return revisions.map(({ id }) => services.get(id)).filter((each) => each !== undefined);
}

async function versionIn(manager: EntityManager): Promise<string> {
  const [row] = await manager.query<readonly { readonly version: string }[]>(
    'select version from registered_service_version',
  );
  return row?.version ?? '';
}

async function translateErrors<T>(query: Promise<T>): Promise<T> {
  try {
    return await query;
  } catch (error) {
    throw isTakenClientId(error) ? clientExists() : toDatabaseError(error);
  }
}

function isTakenClientId(error: unknown): boolean {
  if (!(error instanceof QueryFailedError)) return false;
  const { driverError } = error as QueryFailedError<Error & { readonly constraint?: string }>;
  return driverError.constraint === 'registered_service_client_id';
}
