// `tessera client list` and `show`: clients as text or JSON, without their secrets.
import {
  type ClientSecret,
  ClientSecrets,
  clientNotFound,
  type RegisteredService,
} from '@tessera/services';
import { columns, fieldLines, indentedJson } from '../terminal.js';
import { type ServiceCommandContext, withStore } from './service-changes.js';
import { linesOf, type ShowOptions, stateOf, withoutSalt } from './service-views.js';

/** Lists all services that are clients, in the order of services. */
export async function listClients(
  { json = false }: ShowOptions,
  { openDatabase, write }: ServiceCommandContext,
): Promise<void> {
  const services = await withStore(openDatabase, (store) => store.list());
  const clients = services.filter(({ clientId }) => clientId !== null);
  write(json ? indentedJson(clients.map(withoutSalt)) : table(clients));
}

/** Shows every field of one client, and the times of its secrets. */
export async function showClient(
  clientId: string,
  { json = false }: ShowOptions,
  { openDatabase, write }: ServiceCommandContext,
): Promise<void> {
  const { service, secrets } = await withStore(openDatabase, async (store, { dataSource }) => {
    const found = await store.findByClientId(clientId);
    if (found === undefined) throw clientNotFound(clientId);
    const listed = await new ClientSecrets(dataSource.manager).list(found.id);
    return { service: found, secrets: listed };
  });
  if (json) write(indentedJson({ ...withoutSalt(service), secrets }));
  else write(fieldLines([...linesOf(service), ['secret', secrets.map(secretLine)]]));
}

function secretLine({ id, createdAt, expiresAt }: ClientSecret): string {
  const end = expiresAt === null ? '' : `, ends ${expiresAt.toISOString()}`;
  return `${id}, made ${createdAt.toISOString()}${end}`;
}

function table(clients: readonly RegisteredService[]): string {
  const rows = clients.map((service) => [
    service.clientId ?? '',
    service.id,
    stateOf(service),
    service.name,
    service.client?.tokenEndpointAuthMethod ?? 'invalid',
    service.client?.grantTypes.map((type) => type.split(':').at(-1)).join(' ') ?? '',
  ]);
  return columns(['CLIENT ID', 'SERVICE', 'STATE', 'NAME', 'METHOD', 'GRANTS'], rows);
}
