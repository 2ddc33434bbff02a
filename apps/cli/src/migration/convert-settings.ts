// Turns the settings of the old server into ours, by the table of libs/config.
import { makesStricter, type MigrationRow, migrationRowOf } from '@tessera/config';
import { addClient } from './config-clients.js';
import { COMPOSED } from './composed-settings.js';
import { convertConfigServer } from './config-server-settings.js';
import { convertValue, isValueConversion } from './conversions.js';
import { convertDirectories } from './directories.js';
import type { OldSetting } from './old-settings.js';
import { type Application, type Matched, SettingsDraft } from './settings-draft.js';

/** Keys that both servers have. */
const SAME_KEYS = /^(?:logging\.level\.root$|encrypt\.(?:key|salt|rsa|key-store)(?:\.|$))/;

/** Of the program itself: they are given in the environment or on the command line. */
const BOOTSTRAP = ['application.name', 'profiles.active', 'sso.standalone.security.*'];

export interface Place {
  readonly application: Application;
  /** Where the service files will be; undefined without any. */
  readonly services: string | undefined;
  /** Whether users are to be imported. */
  readonly hasUsers?: boolean;
}

/** Every old setting has one entry of the draft. */
export async function convertSettings(
  settings: readonly OldSetting[],
  { application, services, hasUsers = false }: Place,
): Promise<SettingsDraft> {
  const draft = new SettingsDraft();
  const matched = settings.map((old): Matched => ({ old, row: rowOf(old, application) }));
  for (const { old, row } of matched) leaveUnreadable(old, row, draft);
  const all = matched.filter(({ old }) => old.unreadable === undefined);
  const readable = application === 'config-server' ? convertConfigServer(all, draft) : all;
  const withRow = (as: string): readonly OldSetting[] =>
    readable.filter(({ row }) => row?.as === as).map(({ old }) => old);
  if (application === 'config-server') {
    await addClient(withRow('client'), draft);
  } else {
    convertDirectories(matched, draft);
    takeServices(withRow('services'), services, draft);
  }
  for (const [as, convert] of Object.entries(COMPOSED)) {
    convert(withRow(as), { draft, application });
  }
  for (const each of readable) convertOne(each, { draft, application });
  if (application === 'sso') addDefaults(draft, hasUsers);
  return draft;
}

function takeServices(
  olds: readonly OldSetting[],
  services: string | undefined,
  draft: SettingsDraft,
): void {
  const key = 'sso.services.import';
  if (services !== undefined) draft.set(key, services);
  for (const old of olds) {
    if (services === undefined) draft.leave(old, `there are no files at that place: set ${key}`);
    else draft.take(old, { [key]: services });
  }
}

function rowOf({ name }: OldSetting, application: Application): MigrationRow | undefined {
  return migrationRowOf(name.replace(/\.composite\[\d+\]/, '.composite'), application);
}

function leaveUnreadable(
  old: OldSetting,
  row: MigrationRow | undefined,
  draft: SettingsDraft,
): void {
  if (old.unreadable === undefined) return;
  if (row?.safeguard) draft.weaken(old, row.safeguard.meaning, row.there);
  else draft.leave(old, old.unreadable);
}

interface Target {
  readonly draft: SettingsDraft;
  readonly application: Application;
}

function convertOne({ old, row }: Matched, { draft, application }: Target): void {
  if (draft.has(old)) return;
  const text = old.values.join(',');
  if (
    SAME_KEYS.test(old.name) &&
    (application === 'config-server' || !old.name.startsWith('encrypt'))
  ) {
    draft.take(old, { [old.name]: text });
    return;
  }
  const here = hereOf(row, application);
  const { as, safeguard, consequence, isMissing } = row ?? {};
  if (safeguard && !makesStricter(safeguard, text)) draft.leave(old, 'it asks for nothing');
  else if (as !== undefined && isValueConversion(as)) takeOne(old, here, { as, draft });
  else if (safeguard) draft.weaken(old, safeguard.meaning, row?.there ?? old.name);
  else if (isMissing) draft.miss(old, consequence ?? '');
  else if (here.length > 0) draft.leave(old, byHand(here));
  else draft.leave(old, consequence ?? 'unknown');
}

interface TakeOne extends Pick<Target, 'draft'> {
  readonly as: Parameters<typeof convertValue>[0];
}

function takeOne(old: OldSetting, here: readonly string[], { as, draft }: TakeOne): void {
  const converted = convertValue(as, old.values);
  if ('problem' in converted) draft.leave(old, converted.problem);
  else draft.take(old, Object.fromEntries(here.map((key) => [key, converted.value])));
}

/** Without notes, and without keys of the other application and bare names. */
function hereOf(row: MigrationRow | undefined, application: Application): readonly string[] {
  const other = application === 'sso' ? 'config-server.' : 'sso.';
  return (row?.here ?? [])
    .filter((key) => key.includes('.') && !key.startsWith(other))
    .map((key) => key.replace(/,.*/, ''));
}

function byHand(here: readonly string[]): string {
  const isBootstrap = here.every((key) => BOOTSTRAP.includes(key));
  const where = isBootstrap ? ', in the environment or on the command line' : '';
  return `set ${here.join(' or ')}${where}`;
}

/** Where our default differs from theirs. */
function addDefaults(draft: SettingsDraft, hasUsers: boolean): void {
  draft.set('sso.dialect', 'apereo');
  const remembered = 'sso.tickets.tgt.remember-me-lifetime';
  if (draft.valueOf(remembered) === undefined) draft.set(remembered, '0s');
  const handlers = [
    ...(draft.valueOf('sso.authentication.static.users') === undefined ? [] : ['static']),
    ...(hasDirectory(draft) ? ['ldap'] : []),
  ];
  const all = hasUsers ? [...handlers, 'accounts'] : handlers;
  if (handlers.length > 0) draft.set('sso.authentication.handlers', all);
}

function hasDirectory(draft: SettingsDraft): boolean {
  const keys = draft.settings.map(({ key }) => key);
  const isSource = draft.valueOf('sso.authentication.attributes-from') !== undefined;
  return !isSource && keys.some((key) => /^sso\.authentication\.ldap\.(?:.*\.)?urls$/.test(key));
}
