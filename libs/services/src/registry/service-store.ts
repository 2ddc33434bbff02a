// Keeps registered services in the table `registered_service`, and is the only code that touches it.
// Which service a URL belongs to is not asked here: see `ServiceRegistry`.
import { isDeepStrictEqual } from 'node:util';
import { Any, type DataSource, type EntityManager } from 'typeorm';
import { toDatabaseError } from '@tessera/database';
import { inEvaluationOrder } from '../matching/service-snapshot.js';
import type { NewService, RegisteredService, ServiceDefinition } from '../registered-service.js';
import { inspectDefinition, readDefinition } from '../service-definition.js';
import { InvalidServiceError, ServiceError } from '../service-error.js';
import { RegisteredServiceEntity } from './registered-service.entity.js';
import { planImport, type PlannedImport, type ServiceImport } from './service-import-plan.js';
import { fieldsOf, readRow, type StoredService } from './stored-service.js';

/** Rows read or written at a time: a few milliseconds of work. */
const PAGE = 100;
/** Any number will do that nobody else locks with. */
const IMPORT_LOCK = 8_377_103;
const NOW = (): string => 'now()';

/** Every service, and how often services had been changed by then. */
export interface StoredServices {
  readonly version: string;
  readonly services: readonly StoredService[];
}

/** What else is kept with a change, by the transaction that makes it: both, or neither of them. */
export type Alongside = (service: RegisteredService, transaction: EntityManager) => Promise<void>;

/**
 * The registered services in PostgreSQL.
 *
 * @throws InvalidServiceError where a definition has faults, with all of them
 * @throws ServiceError SERVICE_NOT_FOUND
 * @throws DatabaseError DATABASE_UNAVAILABLE; a database that is away is never an empty registry
 */
export class ServiceStore {
  constructor(private readonly dataSource: DataSource) {}

  async add(service: NewService, alongside?: Alongside): Promise<RegisteredService> {
    const definition = readDefinition(service);
    return this.inTransaction(async (manager) => {
      const { identifiers } = await rowsOf(manager).insert({ ...definition, importId: null });
      const added = readRow(await rowsOf(manager).findOneByOrFail(identifiers[0] ?? {})).service;
      await alongside?.(added, manager);
      return added;
    });
  }

  /**
   * Changes the fields that `change` names. Updates of one service at the same moment lose nothing.
   *
   * @returns false where the service is like that already; then nothing is written
   */
  async update(id: string, change: Partial<ServiceDefinition>): Promise<boolean> {
    return this.inTransaction(async (manager) => {
      const lock = { mode: 'pessimistic_write' } as const;
      const row = isId(id) ? await rowsOf(manager).findOne({ where: { id }, lock }) : null;
      if (row === null) throw notFound(id);
      const fields = fieldsOf(row);
      const { definition, faults } = inspectDefinition({ ...fields, ...change });
      if (faults.length > 0) throw new InvalidServiceError(faults);
      if (isDeepStrictEqual(definition, fields)) return false;
      await rowsOf(manager).update({ id }, { ...definition, updatedAt: NOW });
      return true;
    });
  }

  async remove(id: string): Promise<void> {
    const { manager } = this.dataSource;
    const removed = isId(id) ? await answerOf(rowsOf(manager).delete({ id })) : undefined;
    if (!removed?.affected) throw notFound(id);
  }

  async find(id: string): Promise<RegisteredService | undefined> {
    const { manager } = this.dataSource;
    const row = isId(id) ? await answerOf(rowsOf(manager).findOneBy({ id })) : null;
    return row === null ? undefined : readRow(row).service;
  }

  /** Every service in evaluation order; one with faults as it acts: disabled. */
  async list(): Promise<readonly RegisteredService[]> {
    const { services } = await this.readAll();
    return inEvaluationOrder(services.map(({ service }) => service));
  }

  /**
   * All services at one moment, read in pages that let other work in between. Of rows that have not
   * changed, what is `known` is taken over.
   */
  readAll(known: readonly StoredService[] = []): Promise<StoredServices> {
    return answerOf(
      this.dataSource.transaction('REPEATABLE READ', async (manager) => {
        const version = await versionIn(manager);
        return { version, services: await allIn(manager, known) };
      }),
    );
  }

  /** A number that every change of any service changes; cheap to ask for. */
  version(): Promise<string> {
    return answerOf(versionIn(this.dataSource.manager));
  }

  /**
   * Adds definitions from elsewhere, or puts them in the place of what was imported before; all of
   * them or, on an error, none. What does not differ is left alone. With `dryRun` it only says what
   * it would do.
   */
  async import(
    imports: readonly ServiceImport[],
    { dryRun = false }: { readonly dryRun?: boolean } = {},
  ): Promise<readonly PlannedImport[]> {
    for (const { definition } of imports) readDefinition(definition);
    return this.inTransaction(async (manager) => {
      // Nodes that start together import the same files.
      await manager.query('select pg_advisory_xact_lock($1)', [IMPORT_LOCK]);
      const plan = planImport(imports, await allIn(manager));
      if (!dryRun) await carryOut(plan, manager);
      return plan;
    });
  }

  private inTransaction<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    return answerOf(this.dataSource.transaction(work));
  }
}

async function carryOut(plan: readonly PlannedImport[], manager: EntityManager): Promise<void> {
  const rows = rowsOf(manager);
  const changed = new Map(
    plan.flatMap((each) =>
      each.outcome === 'changed' && each.id !== undefined ? [[each.id, each] as const] : [],
    ),
  );
  // The first write locks the version until the end. A row that is locked after it is a deadlock with
  // an update, which locks its row first.
  await manager.query('select from registered_service where id = any($1) for update', [
    [...changed.keys()],
  ]);
  const added = plan.filter(({ outcome }) => outcome === 'added');
  for (let at = 0; at < added.length; at += PAGE) {
    await rows.insert(added.slice(at, at + PAGE).map(columnsOf));
  }
  for (const [id, each] of changed) {
    await rows.update({ id }, { ...columnsOf(each), updatedAt: NOW });
  }
}

function columnsOf({ importId, definition }: ServiceImport): ServiceDefinition & {
  readonly importId: string | null;
} {
  return { ...definition, importId };
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
  for (let at = 0; at < changed.length; at += PAGE) {
    const id = Any(changed.slice(at, at + PAGE).map((each) => each.id));
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

function rowsOf(manager: EntityManager) {
  return manager.getRepository(RegisteredServiceEntity);
}

/** Anything else would be an error of the database, not a service that is not there. */
function isId(text: string): boolean {
  return /^[1-9]\d{0,17}$/.test(text);
}

function notFound(id: string): ServiceError {
  return new ServiceError('SERVICE_NOT_FOUND', `there is no service ${JSON.stringify(id)}`);
}

async function answerOf<T>(query: Promise<T>): Promise<T> {
  try {
    return await query;
  } catch (error) {
    throw toDatabaseError(error);
  }
}
