// `tessera service add`, `update`, `enable`, `disable` and `remove`: changes of one service.
import {
  findShadowing,
  foreignUrlOf,
  globsIn,
  type NewService,
  refuseDuplicate,
  refuseGlobs,
  ServiceError,
  ServiceStore,
} from '@tessera/services';
import { CliError } from '../cli-error.js';
import { type ChangeContext, changing } from '../audit/changes.js';
import { type OpenDatabase, type OpenedDatabase, withDatabase } from '../database.js';
import { escapeForTerminal } from '../terminal.js';
import { fieldsOf, type ServiceOptions } from './service-options.js';

export interface ServiceCommandContext {
  readonly openDatabase: OpenDatabase;
  /** Writes a line to standard output. */
  readonly write: (line: string) => void;
  /** Writes a line to standard error. */
  readonly warn: (line: string) => void;
}

export interface AddServiceOptions extends ServiceOptions {
  readonly name: string;
  readonly disabled?: boolean;
}

export async function addService(
  serviceId: string,
  options: AddServiceOptions,
  { openDatabase, write, warn }: ServiceCommandContext,
): Promise<void> {
  const { name, disabled = false } = options;
  const fields = fieldsOf({ ...options, pattern: serviceId });
  const service: NewService = { ...fields, serviceId, name, enabled: !disabled };
  const { id, shadowing } = await changingServices(openDatabase, async (store, record) => {
    refuseGlobs(service);
    const added = await store.add(service);
    const registered = await store.list();
    refuseDuplicate(added, registered);
    await record({ action: 'REGISTER_SERVICE', subject: added.id, details: { ...service } });
    return { id: added.id, shadowing: await findShadowing(added, registered) };
  });
  write(id);
  warnOfForeignUrl(serviceId, warn);
  if (shadowing !== undefined) {
    const { url, service: first } = shadowing;
    warn(
      `tessera: service ${first.id}, ${JSON.stringify(first.name)}, comes first and gets ${url}: ` +
        `give an --order below ${first.evaluationOrder} with "tessera service update ${id}"`,
    );
  }
}

/** Changes the fields that the options name. */
export async function updateService(
  id: string,
  options: ServiceOptions,
  { openDatabase, write, warn }: ServiceCommandContext,
): Promise<void> {
  const change = fieldsOf(options);
  const isChanged = await changingServices(openDatabase, (store, record) =>
    update(id, change, { store, record }),
  );
  write(`${isChanged ? 'updated' : 'unchanged'} ${id}`);
  for (const { field, reason } of globsIn(change)) {
    warn(`tessera: ${field} ${escapeForTerminal(reason)}`);
  }
  if (typeof change.serviceId === 'string') warnOfForeignUrl(change.serviceId, warn);
}

function warnOfForeignUrl(pattern: string, warn: ServiceCommandContext['warn']): void {
  const url = foreignUrlOf(pattern);
  if (url === undefined) return;
  warn(
    `tessera: the pattern also matches ${escapeForTerminal(url)}: ` +
      'begin its host with ([a-z0-9-]+\\.)* instead of a wildcard, and end it with /',
  );
}

export async function setServiceEnabled(
  id: string,
  enabled: boolean,
  { openDatabase, write }: ServiceCommandContext,
): Promise<void> {
  await changingServices(openDatabase, (store, record) =>
    update(id, { enabled }, { store, record }),
  );
  write(`${enabled ? 'enabled' : 'disabled'} ${id}`);
}

export async function removeService(
  id: string,
  { openDatabase, write }: ServiceCommandContext,
): Promise<void> {
  await changingServices(openDatabase, async (store, record) => {
    await store.remove(id);
    await record({ action: 'REMOVE_SERVICE', subject: id });
  });
  write(`removed ${id}`);
}

/** @returns false where nothing differs. @throws ServiceError, InvalidServiceError */
export async function update(
  id: string,
  change: Partial<NewService>,
  { store, record }: { readonly store: ServiceStore; readonly record: ChangeContext['record'] },
): Promise<boolean> {
  const before = await store.find(id);
  refuseGlobs(change, before);
  const isChanged = await store.update(id, change);
  if (!isChanged) return false;
  const changed = await store.find(id);
  if (changed !== undefined) refuseDuplicate(changed, await store.list(), before);
  await record({ action: 'CHANGE_SERVICE', subject: id, details: { ...change } });
  return true;
}

/** As {@link withStore}, in a transaction with the events of the audit trail. */
export function changingServices<T>(
  openDatabase: OpenDatabase,
  work: (
    store: ServiceStore,
    record: ChangeContext['record'],
    manager: ChangeContext['manager'],
  ) => Promise<T>,
): Promise<T> {
  return withStore(openDatabase, (_, database) =>
    changing(database, ({ manager, record }) => work(ServiceStore.of(manager), record, manager)),
  );
}

/** Runs `work` on the services of the database. @throws CliError for a ServiceError, escaped for the terminal */
export async function withStore<T>(
  openDatabase: OpenDatabase,
  work: (store: ServiceStore, database: OpenedDatabase) => Promise<T>,
): Promise<T> {
  try {
    return await withDatabase(openDatabase, (database) =>
      work(ServiceStore.of(database.dataSource), database),
    );
  } catch (error) {
    if (error instanceof ServiceError) throw new CliError(escapeForTerminal(error.message));
    throw error;
  }
}
