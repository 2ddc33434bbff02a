// `tessera service list`: all services as a table for people or as JSON for programs; never a salt.
import type { AttributeRelease, RegisteredService } from '@tessera/services';
import { printable } from '../printable-text.js';
import { type ServiceCommandContext, withStore } from './service-changes.js';

/** Lists all services in evaluation order. */
export async function listServices(
  { json = false }: { readonly json?: boolean },
  { openDatabase, write }: ServiceCommandContext,
): Promise<void> {
  const services = await withStore(openDatabase, (store) => store.list());
  write(json ? asJson(services) : table(services));
}

/** JSON leaves some characters as they are that a terminal obeys. */
function asJson(services: readonly RegisteredService[]): string {
  const shown = services.map(({ pseudonymSalt: _salt, ...service }) => service);
  return JSON.stringify(shown, undefined, 2).replace(/[\u007f-\u009f\p{Cf}]/gu, (character) =>
    [...Array(character.length).keys()]
      .map((at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`)
      .join(''),
  );
}

function table(services: readonly RegisteredService[]): string {
  const rows = services.map((service) => [
    service.id,
    String(service.evaluationOrder),
    service.enabled ? 'enabled' : 'disabled',
    printable(service.name),
    releasedBy(service.attributeRelease),
    printable(service.serviceId),
  ]);
  const all = [['ID', 'ORDER', 'STATE', 'NAME', 'RELEASES', 'PATTERN'], ...rows];
  const widths = all[0]?.map((_, column) =>
    all.reduce((widest, cells) => Math.max(widest, cells[column]?.length ?? 0), 0),
  );
  return all
    .map((cells) => cells.map((cell, column) => cell.padEnd(widths?.[column] ?? 0)).join('  '))
    .map((line) => line.trimEnd())
    .join('\n');
}

function releasedBy(release: AttributeRelease): string {
  switch (release.kind) {
    case 'none':
    case 'all':
      return release.kind;
    case 'allowed':
      return `${release.names.length} allowed`;
    case 'mapped':
      return `${Object.keys(release.names).length} mapped`;
  }
}
