// `tessera service list` and `show`: services as text or JSON, without their salts.
import {
  type AttributeRelease,
  isEnabled,
  type RegisteredService,
  type ServiceDefinition,
  serviceNotFound,
  type UsernameAttribute,
} from '@tessera/services';
import { columns, fieldLines, indentedJson } from '../terminal.js';
import { clientLines, secondsOf } from './client-lines.js';
import { type ServiceCommandContext, withStore } from './service-changes.js';

export interface ShowOptions {
  readonly json?: boolean;
}

/** Lists all services with a pattern of URLs, in evaluation order. */
export async function listServices(
  { json = false }: ShowOptions,
  { openDatabase, write }: ServiceCommandContext,
): Promise<void> {
  const all = await withStore(openDatabase, (store) => store.list());
  const services = all.filter(({ serviceId }) => serviceId !== null);
  write(json ? indentedJson(services.map(withoutSalt)) : table(services));
}

/** Shows every field of one service. */
export async function showService(
  id: string,
  { json = false }: ShowOptions,
  { openDatabase, write }: ServiceCommandContext,
): Promise<void> {
  const service = await withStore(openDatabase, async (store) => {
    const found = await store.find(id);
    if (found === undefined) throw serviceNotFound(id);
    return found;
  });
  write(json ? indentedJson(withoutSalt(service)) : fieldLines(linesOf(service)));
}

export function withoutSalt({ pseudonymSalt: _salt, ...shown }: RegisteredService): object {
  return shown;
}

function table(services: readonly RegisteredService[]): string {
  const rows = services.map((service) => [
    service.id,
    String(service.evaluationOrder),
    stateOf(service),
    service.name,
    releasedBy(service.attributeRelease),
    service.serviceId ?? '',
  ]);
  return columns(['ID', 'ORDER', 'STATE', 'NAME', 'RELEASES', 'PATTERN'], rows);
}

export function stateOf(service: RegisteredService): string {
  if (isEnabled(service, Date.now())) return 'enabled';
  return service.enabled ? 'expired' : 'disabled';
}

function releasedBy(release: AttributeRelease): string {
  switch (release.kind) {
    case 'none':
      return release.kind;
    case 'all':
      return release.excluded === undefined ? 'all' : `all but ${release.excluded.length}`;
    case 'allowed':
      return `${release.names.length} allowed`;
    case 'mapped':
      return `${Object.keys(release.names).length} mapped`;
  }
}

type Lines = Parameters<typeof fieldLines>[0];

/** Values have the form of the options of `update`. */
export function linesOf(service: RegisteredService): Lines {
  const { proxyPolicy } = service;
  const texts: Record<
    Exclude<keyof ServiceDefinition, 'clientId' | 'client'>,
    string | readonly string[]
  > = {
    serviceId: service.serviceId ?? 'none',
    name: service.name,
    description: service.description,
    evaluationOrder: String(service.evaluationOrder),
    enabled: String(service.enabled),
    expiresAt: service.expiresAt ?? 'never',
    ssoEnabled: String(service.ssoEnabled),
    requiredAttributes: pairsOf(service.requiredAttributes),
    requireAllAttributes: String(service.requireAllAttributes),
    rejectedAttributes: pairsOf(service.rejectedAttributes),
    unauthorizedRedirectUrl: service.unauthorizedRedirectUrl ?? 'none',
    attributeRelease: released(service.attributeRelease),
    defaultAttributes: String(service.defaultAttributes),
    releasedValues: pairsOf(service.releasedValues),
    protocolAttributes: String(service.protocolAttributes),
    usernameAttribute: usernameOf(service.usernameAttribute),
    proxyPolicy:
      proxyPolicy.kind === 'pattern' ? `pattern ${proxyPolicy.pattern}` : proxyPolicy.kind,
    responseType: service.responseType,
    serviceTicketLifetime: secondsOf(service.serviceTicketLifetime),
    proxyTicketLifetime: secondsOf(service.proxyTicketLifetime),
    logoutType: service.logoutType,
    logoutUrl: service.logoutUrl ?? 'none',
    properties: Object.entries(service.properties).map(([name, value]) => `${name}=${value}`),
  };
  return [['id', service.id], ...Object.entries(texts), ...clientLines(service)];
}

function usernameOf(username: UsernameAttribute): string {
  const text = username.kind === 'attribute' ? `attribute ${username.name}` : username.kind;
  const letterCase = 'letterCase' in username ? username.letterCase : undefined;
  return letterCase === undefined ? text : `${text}, in ${letterCase} case`;
}

function released(release: AttributeRelease): string | readonly string[] {
  switch (release.kind) {
    case 'none':
      return release.kind;
    case 'all':
      return release.excluded?.map((name) => `all but ${name}`) ?? release.kind;
    case 'allowed':
      return release.names.map((name) => `allowed ${name}`);
    case 'mapped':
      return pairsOf(release.names).map((pair) => `mapped ${pair}`);
  }
}

function pairsOf(values: Readonly<Record<string, readonly string[]>>): readonly string[] {
  return Object.entries(values).flatMap(([name, each]) => each.map((value) => `${name}=${value}`));
}
