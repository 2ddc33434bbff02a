// Turns `cas.authn.ldap[n]` into directories with names, or one without.
import { type MigrationRow, migrationRowOf, parseDuration } from '@tessera/config';
import {
  ATTRIBUTES,
  indexOf,
  loginDirectories,
  LOGINS,
  OTHER_DIRECTORY,
  SAME_DIRECTORY,
} from './attribute-directories.js';
import {
  attributeIn,
  type Converted,
  convertValue,
  isValueConversion,
  lostNames,
  partsOf,
} from './conversions.js';
import type { OldSetting } from './old-settings.js';
import { isMap, type Matched, type SettingsDraft } from './settings-draft.js';

const HERE = 'sso.authentication.ldap';
const RESERVED = ['accounts', 'none', 'static', 'x509'];
/** The default of `sso.authentication.ldap.timeout`, which may not be less than `connect-timeout`. */
const DEFAULT_TIMEOUT = '2s';
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
  const loginOf = isLogin ? loginDirectories(matched) : undefined;
  const olds = matched.flatMap((each) => ofDirectory(each, loginOf, draft));
  const directories = named(inOrder(olds).filter((each) => isUsed(each, draft)));
  if (directories.length === 0) return;
  if (!isLogin) draft.set('sso.authentication.attributes-from', 'ldap');
  const names = directories.flatMap(({ name }) => name ?? []);
  if (names.length > 0) draft.set(`${HERE}.directories`, names);
  for (const directory of directories) convertDirectory(directory, draft);
}

function ofDirectory(
  { old, row }: Matched,
  loginOf: ((index: number) => number | undefined) | undefined,
  draft: SettingsDraft,
): Matched[] {
  if (isBelow(old, LOGINS)) return [{ old, row }];
  if (!isBelow(old, ATTRIBUTES)) return [];
  const isAttribute = row?.as === 'attributes';
  if (loginOf === undefined) {
    const own = isAttribute ? row : migrationRowOf(old.name.replace(ATTRIBUTES, LOGINS), 'sso');
    return [{ old, row: own }];
  }
  const login = loginOf(indexOf({ old, row }));
  if (login !== undefined && isAttribute) {
    return [{ old: { ...old, name: old.name.replace(/\[\d+\]/, `[${login}]`) }, row }];
  }
  draft.leave(old, login === undefined ? OTHER_DIRECTORY : SAME_DIRECTORY);
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
    if ('value' in converted) {
      const note = noteOf(converted, key, draft);
      draft.take(old, { [key]: converted.value }, note);
    } else if (row.safeguard && old.values.join('') !== '') {
      draft.weaken(old, row.safeguard.meaning, row.there);
    } else draft.leave(old, converted.problem);
  }
  addId(prefix, draft);
  addTimeout(prefix, draft);
}

/** What is lost, here or to a setting of the same key before. */
function noteOf(
  { value, note }: Extract<Converted, { value: unknown }>,
  key: string,
  draft: SettingsDraft,
): string | undefined {
  const before = draft.valueOf(key);
  if (note !== undefined || before === undefined || !isMap(before) || !isMap(value)) return note;
  const lost = Object.keys(value).flatMap((name) => {
    const other = before[name];
    return typeof other === 'string' && other !== value[name] ? [other] : [];
  });
  return lost.length > 0 ? lostNames(lost) : undefined;
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
function attributePair({ key, values }: OldSetting): string {
  const source = attributeIn(key);
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

/** Ours is for all of a login, and includes opening a connection. */
function addTimeout(prefix: string, draft: SettingsDraft): void {
  const connect = draft.valueOf(`${prefix}.connect-timeout`);
  const timeout = draft.valueOf(`${prefix}.timeout`) ?? DEFAULT_TIMEOUT;
  if (typeof connect !== 'string' || typeof timeout !== 'string') return;
  if ((parseDuration(timeout) ?? 0) < (parseDuration(connect) ?? 0)) {
    draft.set(`${prefix}.timeout`, connect);
  }
}

/** Attributes of an index without a directory belong to the first one. */
function inOrder(olds: readonly Matched[]): readonly Omit<Directory, 'name'>[] {
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
