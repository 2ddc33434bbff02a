// `tessera client add`, `update`, `remove` and `secret`: changes of one OpenID Connect client.
import { parseDuration } from '@tessera/config';
import {
  clientNotFound,
  ClientSecrets,
  hasSecrets,
  newClientId,
  type NewService,
  type RegisteredService,
  serviceNotFound,
  type ServiceStore,
} from '@tessera/services';
import type { ChangeContext } from '../audit/changes.js';
import { CliError } from '../cli-error.js';
import { escapeForTerminal, fieldLines, indentedJson } from '../terminal.js';
import { clientFieldsOf, type ClientOptions } from './client-options.js';
import { changingServices, type ServiceCommandContext, update } from './service-changes.js';
import { fieldsOf, type ServiceOptions } from './service-options.js';

/** In seconds: 400 days. */
const MAX_KEPT = 34_560_000;

export type ClientChange = ClientOptions & ServiceOptions;

interface JsonOption {
  readonly json?: boolean;
}

export interface AddClientOptions extends ClientChange, JsonOption {
  readonly clientId?: string;
  /** The number of a service that becomes a client. */
  readonly service?: string;
}

export interface NewSecretOptions extends JsonOption {
  /** How long the secrets of before stay valid. */
  readonly keepOld?: string;
}

interface Writing {
  readonly store: ServiceStore;
  readonly record: ChangeContext['record'];
}

/** Prints its id, and its secret if it has one. */
export async function addClient(
  options: AddClientOptions,
  { openDatabase, write }: ServiceCommandContext,
): Promise<void> {
  const { clientId = newClientId(), name, service: number, json } = options;
  if (name === undefined && number === undefined) {
    throw new CliError('give a --name, or the --service that becomes a client');
  }
  const client = await clientFieldsOf(options);
  const fields = { ...fieldsOf(options), clientId, client };
  // Its scopes limit what it gets.
  const attributeRelease = { kind: 'all' } as const;
  const added = await changingServices(openDatabase, async (store, record, manager) => {
    const service =
      number === undefined
        ? await register({ attributeRelease, ...fields, name: name ?? '' }, { store, record })
        : await join(number, fields, { store, record });
    const shown = { clientId, service: service.id };
    if (!hasSecrets(service.client)) return shown;
    return { ...shown, secret: await addSecret(service.id, { manager, record }) };
  });
  writeOnce(added, json, write);
}

async function register(
  service: NewService,
  { store, record }: Writing,
): Promise<RegisteredService> {
  const added = await store.add(service);
  await record({ action: 'REGISTER_SERVICE', subject: added.id, details: { ...service } });
  return added;
}

/** Makes a service of CAS a client too. */
async function join(
  id: string,
  change: Partial<NewService>,
  writing: Writing,
): Promise<RegisteredService> {
  const before = (await writing.store.findForUpdate(id))?.service;
  if (before === undefined) throw serviceNotFound(id);
  if (before.clientId !== null) {
    const known = escapeForTerminal(before.clientId);
    throw new CliError(
      `service ${id} is a client already: "tessera client update ${known}" changes it`,
    );
  }
  await update(id, change, writing);
  return (await writing.store.find(id)) ?? before;
}

/** Changes the fields that the options name. */
export async function updateClient(
  clientId: string,
  options: ClientChange,
  { openDatabase, write, warn }: ServiceCommandContext,
): Promise<void> {
  const given = await clientFieldsOf(options);
  const result = await changingServices(openDatabase, async (store, record, manager) => {
    const { id, client } = await lockedClient(clientId, store);
    const part = Object.keys(given).length > 0 ? { client: { ...client, ...given } } : {};
    const isChanged = await update(id, { ...fieldsOf(options), ...part }, { store, record });
    const secrets = hasSecrets(given) ? await new ClientSecrets(manager).list(id) : undefined;
    return { isChanged, lacksSecret: secrets?.length === 0 };
  });
  const shown = escapeForTerminal(clientId);
  write(`${result.isChanged ? 'updated' : 'unchanged'} ${shown}`);
  if (result.lacksSecret) {
    warn(`tessera: the client has no secret: "tessera client secret ${shown}" makes one`);
  }
}

/** A service with a pattern stays, and takes part in CAS alone. */
export async function removeClient(
  clientId: string,
  { openDatabase, write }: ServiceCommandContext,
): Promise<void> {
  await changingServices(openDatabase, async (store, record) => {
    const { id, serviceId } = await lockedClient(clientId, store);
    if (serviceId !== null) {
      await update(id, { clientId: null, client: null }, { store, record });
      return;
    }
    await store.remove(id);
    await record({ action: 'REMOVE_SERVICE', subject: id });
  });
  write(`removed ${escapeForTerminal(clientId)}`);
}

/** Makes a new secret, and prints it. */
export async function renewSecret(
  clientId: string,
  { keepOld = '0s', json }: NewSecretOptions,
  { openDatabase, write }: ServiceCommandContext,
): Promise<void> {
  const othersEndAfter = (parseDuration(keepOld) ?? Infinity) / 1_000;
  if (othersEndAfter > MAX_KEPT) {
    throw new CliError('--keep-old is a duration of at most 400 days, such as 30m, 24h or 7d');
  }
  const shown = await changingServices(openDatabase, async (store, record, manager) => {
    const { id } = await lockedClient(clientId, store);
    const secret = await addSecret(id, { manager, record, othersEndAfter });
    return { clientId, service: id, secret };
  });
  writeOnce(shown, json, write);
}

async function addSecret(
  serviceId: string,
  { manager, record, ...options }: ChangeContext & { readonly othersEndAfter?: number },
): Promise<string> {
  const { id, secret } = await new ClientSecrets(manager).add(serviceId, options);
  const details = { secret: id, ...options };
  await record({ action: 'ADD_CLIENT_SECRET', subject: serviceId, details });
  return secret;
}

async function lockedClient(clientId: string, store: ServiceStore): Promise<RegisteredService> {
  const found = await store.findByClientId(clientId);
  const locked = found && (await store.findForUpdate(found.id));
  if (locked?.service.clientId !== clientId) throw clientNotFound(clientId);
  return locked.service;
}

function writeOnce(
  shown: Readonly<Record<string, string>>,
  json: boolean | undefined,
  write: ServiceCommandContext['write'],
): void {
  write(json ? indentedJson(shown) : fieldLines(Object.entries(shown)));
}
