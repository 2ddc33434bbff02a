// Settings of Spring Cloud Config's server that are made of several old ones.
import { migrationRowOf, normaliseKey } from '@tessera/config';
import { fileOf, partsOf } from './conversions.js';
import type { OldSetting } from './old-settings.js';
import type { Matched, SettingsDraft, SettingValue } from './settings-draft.js';

const SERVER = 'spring.cloud.config.server';
const BACKENDS = 'config-server.backends';

/** Their names, and ours. */
const TYPES: ReadonlyMap<string, string> = new Map([
  ['native', 'native'],
  ['git', 'git'],
  ['vault', 'vault'],
  ['jdbc', 'postgres'],
]);

const REPOSITORY_FIELDS = [
  'uri',
  'pattern',
  'search-paths',
  'default-label',
  'username',
  'password',
  'known-hosts-file',
];

/** Converts what is made of several settings. @returns the settings, those of a composite as if they were of their backend */
export function convertConfigServer(
  matched: readonly Matched[],
  draft: SettingsDraft,
): readonly Matched[] {
  const names: string[] = [];
  const composites = Map.groupBy(matched, ({ old }) => /\.composite\[(\d+)\]/.exec(old.name)?.[1]);
  const settings = [...composites].flatMap(([index, backend]) =>
    index === undefined ? backend : ofComposite(backend, names, draft),
  );
  if (names.length > 0) draft.set(BACKENDS, names);
  const withRow = (as: string): readonly OldSetting[] =>
    settings.filter(({ row }) => row?.as === as).map(({ old }) => old);
  nativeLocation(withRow('native-location'), draft);
  repositories(withRow('repositories'), draft);
  overrides(withRow('map'), draft);
  backends(
    settings.map(({ old }) => old),
    draft,
  );
  return settings;
}

/** `composite[0].type=git` and the keys beside it. @param names of the backends so far */
function ofComposite(
  settings: readonly Matched[],
  names: string[],
  draft: SettingsDraft,
): readonly Matched[] {
  const type = settings.find(({ old }) => old.name.endsWith('].type'))?.old.values[0] ?? '';
  const backend = TYPES.get(type);
  if (backend === undefined || names.includes(backend)) {
    const reason = backend ? 'there is one backend of a kind' : 'there is no such backend';
    for (const { old } of settings) draft.leave(old, reason);
    return [];
  }
  names.push(backend);
  for (const { old } of settings) if (old.name.endsWith('].type')) draft.renamed(old, [BACKENDS]);
  const others = settings.filter(({ old }) => !draft.has(old));
  return others.map(({ old }) => {
    const [name, key] = [old.name, old.key].map((each) =>
      each.replace(/\.composite\[\d+\]/, `.${type}`),
    ) as [string, string];
    const backendSetting = { ...old, name, key, written: old.key };
    return { old: backendSetting, row: migrationRowOf(name, 'config-server') };
  });
}

/** Locations with a common directory are search paths below it. */
function nativeLocation(olds: readonly OldSetting[], draft: SettingsDraft): void {
  for (const old of olds) {
    const paths = partsOf(old.values).map((each) => fileOf(each));
    const problem = paths.find((path) => 'problem' in path);
    if (problem && 'problem' in problem) {
      draft.leave(old, problem.problem);
      continue;
    }
    const segments = paths.map((path) =>
      ('value' in path ? path.value : '').replace(/\/+$/, '').split('/'),
    );
    const [first = []] = segments;
    const isCommon = (at: number): boolean =>
      segments.every((each) => each[at] === first[at] && !/[{}]/.test(each[at] ?? '{'));
    let common = 0;
    while (common < first.length && isCommon(common)) common += 1;
    const below = segments.map((each) => each.slice(common).join('/') || '.');
    draft.take(old, {
      'config-server.native.location': first.slice(0, common).join('/') || '/',
      ...(below.every((path) => path === '.')
        ? {}
        : { 'config-server.native.search-paths': below }),
    });
  }
}

/** `repos.team.uri`, or `repos.team` with the address. */
function repositories(olds: readonly OldSetting[], draft: SettingsDraft): void {
  const fields: Record<string, Record<string, SettingValue>> = {};
  for (const old of olds) {
    const start = `${SERVER}.git.repos.`.length;
    const [name = '', field = 'uri'] = splitOnce(old.key.slice(start));
    const member = normaliseKey(field);
    if (name === '' || !REPOSITORY_FIELDS.includes(member)) {
      draft.leave(old, 'a repository has no such setting here');
      continue;
    }
    const isList = member === 'pattern' || member === 'search-paths';
    fields[name] = {
      ...fields[name],
      [member]: isList ? partsOf(old.values) : old.values.join(','),
    };
    draft.take(old, { 'config-server.git.repos': { ...fields } });
  }
}

function overrides(olds: readonly OldSetting[], draft: SettingsDraft): void {
  for (const old of olds) {
    const key = old.key.slice(`${SERVER}.overrides.`.length);
    draft.take(old, { 'config-server.overrides': { [key]: old.values.join(',') } });
  }
}

/** In the order of `order`, which is the stronger the lower it is; without a composite. */
function backends(olds: readonly OldSetting[], draft: SettingsDraft): void {
  const found = [...TYPES].flatMap(([type, backend]) => {
    const own = olds.filter(({ name }) => name.startsWith(`${SERVER}.${type}.`));
    const order = own.find(({ name }) => name.endsWith('.order'));
    if (order) draft.renamed(order, [BACKENDS]);
    return own.length === 0
      ? []
      : [{ backend, order: Number(order?.values[0] ?? Number.MAX_SAFE_INTEGER) }];
  });
  if (found.length === 0 || draft.valueOf(BACKENDS) !== undefined) return;
  const sorted = found.toSorted((one, other) => one.order - other.order);
  draft.set(
    BACKENDS,
    sorted.map(({ backend }) => backend),
  );
}

function splitOnce(text: string): readonly string[] {
  const at = text.indexOf('.');
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}
