// Turns `cas.authn.ldap[n]` into directories with names, or one without.
import { type MigrationRow, migrationRowOf } from '@tessera/config';
import { convertValue, isValueConversion, partsOf } from './conversions.js';
import type { OldSetting } from './old-settings.js';
import type { Matched, SettingsDraft } from './settings-draft.js';

const HERE = 'sso.authentication.ldap';
const LOGINS = 'cas.authn.ldap';
const ATTRIBUTES = 'cas.authn.attribute-repository.ldap';
const RESERVED = ['accounts', 'none', 'static', 'x509'];
const MAX_NAME_LENGTH = 32;

interface Directory {
  readonly index: number;
  readonly settings: readonly Matched[];
  readonly name: string | undefined;
}

/**
 * Keys of `cas.authn.attribute-repository.ldap` alone are directories for attributes.
 *
 * @param matched with those that cannot be read
 */
export function convertDirectories(matched: readonly Matched[], draft: SettingsDraft): void {
  const isLogin = matched.some(({ old }) => isBelow(old, LOGINS));
  const olds = matched.flatMap((each) => ofDirectory(each, isLogin, draft));
  const directories = named(inOrder(olds).filter((each) => isUsed(each, draft)));
  if (directories.length === 0) return;
  if (!isLogin) draft.set('sso.authentication.attributes-from', 'ldap');
  const names = directories.flatMap(({ name }) => name ?? []);
  if (names.length > 0) draft.set(`${HERE}.directories`, names);
  for (const directory of directories) convertDirectory(directory, draft);
}

function ofDirectory({ old, row }: Matched, isLogin: boolean, draft: SettingsDraft): Matched[] {
  if (isBelow(old, LOGINS)) return [{ old, row }];
  if (!isBelow(old, ATTRIBUTES)) return [];
  if (row?.as === 'attributes') return [{ old, row }];
  if (!isLogin) return [{ old, row: migrationRowOf(old.name.replace(ATTRIBUTES, LOGINS), 'sso') }];
  draft.leave(old, 'attributes come with the login; those of another directory are not read');
  return [];
}

/** As there, a directory without a URL is none. */
function isUsed({ settings }: Pick<Directory, 'settings'>, draft: SettingsDraft): boolean {
  const isServer = ({ old, row }: Matched): boolean =>
    row?.as === 'urls' && (old.unreadable !== undefined || old.values.join('') !== '');
  if (settings.some(isServer)) return true;
  for (const { old } of settings) draft.leave(old, 'a directory without ldap-url is not used');
  return false;
}

function convertDirectory({ name, settings }: Directory, draft: SettingsDraft): void {
  const prefix = name === undefined ? HERE : `${HERE}.${name}`;
  const isSearched = !isDirect(settings);
  const isTls = /^true$/i.test(valueIn(settings, 'use-ssl'));
  for (const { old, row } of settings.filter((each) => !draft.has(each.old))) {
    if (row?.as === 'directory') draft.renamed(old, [`${HERE}.directories`]);
    if (row?.as === undefined || !isValueConversion(row.as)) continue;
    const key = keyOf(row, prefix);
    const reason = isSearched ? unusedInSearch(key) : unusedInTemplate(key);
    if (reason !== undefined) {
      draft.leave(old, reason);
      continue;
    }
    const values = isOfAttributes(row) ? [attributePair(old)] : old.values;
    const secured = row.as === 'urls' && isTls ? values.map(withTls) : values;
    const converted = convertValue(row.as, secured);
    if ('value' in converted) draft.take(old, { [key]: converted.value });
    else if (row.safeguard && old.values.join('') !== '') {
      draft.weaken(old, row.safeguard.meaning, row.there);
    } else draft.leave(old, converted.problem);
  }
  addId(prefix, draft);
}

function withTls(urls: string): string {
  return urls.replaceAll('ldap://', 'ldaps://');
}

function keyOf({ here }: MigrationRow, prefix: string): string {
  return (here[0] ?? '').replace(HERE, prefix);
}

function unusedInSearch(key: string): string | undefined {
  return key.endsWith('.user-dn')
    ? 'users are searched here: set bind-dn and bind-password if the directory needs them'
    : undefined;
}

function unusedInTemplate(key: string): string | undefined {
  const isOfSearch = /\.(?:base-dn|bind-dn|bind-password|scope|filter)$/.test(key);
  return isOfSearch ? 'a template of DNs needs no search' : undefined;
}

/** Whether users are found by a template of their DN. */
function isDirect(settings: readonly Matched[]): boolean {
  const hasTemplate = /%s|\{user\}|\{0\}/.test(valueIn(settings, 'dn-format'));
  const filter = valueIn(settings, 'search-filter') + valueIn(settings, 'user-filter');
  return hasTemplate && (/^direct$/i.test(valueIn(settings, 'type')) || filter === '');
}

function valueIn(settings: readonly Matched[], part: string): string {
  const found = settings.find(({ old }) => old.name.replace(/^.*ldap(?:\[\d+\])?\./, '') === part);
  return found?.old.values.join(',') ?? '';
}

/** `attributes.mail=email` in the form of a list of attributes. */
function attributePair({ name, key, values }: OldSetting): string {
  const source = key.slice(name.indexOf('.attributes.') + '.attributes.'.length);
  return `${source}:${values.join(',') || source}`;
}

/** A filter with several attributes does not tell which one is the user's id. */
function addId(prefix: string, draft: SettingsDraft): void {
  const filter = draft.valueOf(`${prefix}.filter`);
  if (typeof filter !== 'string' || draft.valueOf(`${prefix}.id-attribute`) !== undefined) return;
  const compared = Array.from(filter.matchAll(/\(([A-Za-z][\w-]*)=\{username\}\)/g), ([, name]) =>
    name?.toLowerCase(),
  );
  const [first, ...others] = new Set(compared);
  if (first !== undefined && others.length > 0) draft.set(`${prefix}.id-attribute`, first);
}

/** Attributes of an index without a directory belong to the first one. */
function inOrder(olds: readonly Matched[]): readonly Omit<Directory, 'name'>[] {
  const indexOf = ({ old }: Matched): number => Number(/\[(\d+)\]/.exec(old.name)?.[1] ?? 0);
  const indexes = new Set(olds.filter(({ row }) => !isOfAttributes(row)).map(indexOf));
  const first = Math.min(...indexes);
  const groups = Map.groupBy(olds, (each) => (indexes.has(indexOf(each)) ? indexOf(each) : first));
  const orderOf = (settings: readonly Matched[]): number => {
    const order = valueIn(settings, 'order');
    return /^-?\d+$/.test(order) ? Number(order) : Number.MAX_SAFE_INTEGER;
  };
  return [...groups]
    .map(([index, settings]) => ({ index, settings }))
    .toSorted(
      (one, other) => orderOf(one.settings) - orderOf(other.settings) || one.index - other.index,
    );
}

function isOfAttributes(row: MigrationRow | undefined): boolean {
  return row?.there.startsWith(ATTRIBUTES) ?? false;
}

/** One directory without a name stays without one. */
function named(directories: readonly Omit<Directory, 'name'>[]): readonly Directory[] {
  const taken = new Set(RESERVED);
  return directories.map((directory) => {
    const [given] = partsOf([valueIn(directory.settings, 'name')]);
    if (given === undefined && directories.length === 1) return { ...directory, name: undefined };
    const slug = (given ?? '')
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '-')
      .slice(0, MAX_NAME_LENGTH)
      .replaceAll(/^-|-$/g, '');
    const name = slug === '' || taken.has(slug) ? `directory-${directory.index + 1}` : slug;
    taken.add(name);
    return { ...directory, name };
  });
}

function isBelow({ name }: OldSetting, group: string): boolean {
  return name.startsWith(`${group}.`) || name.startsWith(`${group}[`);
}
