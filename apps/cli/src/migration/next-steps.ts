// What is to be done by hand between `tessera migrate` and the first start.
import { extname, join } from 'node:path';
import type { ImportReport } from '@tessera/services';
import { SAME_DIRECTORY } from './attribute-directories.js';
import type { OldSetting } from './old-settings.js';
import type { Application, SettingsDraft } from './settings-draft.js';

interface Move {
  readonly into: string;
  readonly application: Application;
  readonly draft: SettingsDraft;
  readonly old: readonly OldSetting[];
  readonly imported: ImportReport | undefined;
  /** An export of users. */
  readonly users: string | undefined;
}

/** For each command: settings of the new directory. */
const settingsOf = (into: string): string =>
  `--profiles.active=production --settings.location=${into}`;
const NO_TLS = /^ldap:\/\/(?!localhost\b|127\.|\[::1\])/;

export function nextSteps(move: Move): readonly string[] {
  const { into, application, old } = move;
  const where = settingsOf(into);
  const unreadable = old.filter((each) => each.unreadable !== undefined).map(({ key }) => key);
  return [
    ...(unreadable.length > 0 ? [`set what could not be read: ${unreadable.join(', ')}`] : []),
    ...(application === 'sso' ? stepsOfSso(move) : stepsOfConfigServer(move)),
    `check: tessera settings explain --application ${application} ${where}`,
    `start: tessera start ${application} ${where}`,
  ];
}

/** The name in the new directory. */
export function usersName(from: string): string {
  return `users${extname(from) || '.htpasswd'}`;
}

function* stepsOfSso(move: Move): Iterable<string> {
  const { into, draft, imported, users } = move;
  const has = (key: string): boolean => draft.valueOf(key) !== undefined;
  if (!has('database.url')) yield 'set database.url: a database of PostgreSQL';
  if (!has('sso.base-url')) yield 'set sso.base-url: the URL of users and applications';
  if (has('sso.tls.key-file')) yield 'put the certificate and its key at sso.tls.*, in PEM';
  if (hasPlainDirectory(draft)) {
    yield 'set ldaps:// URLs, or start-tls: profile production refuses plain ldap://';
  }
  if (has('sso.authentication.static.users')) {
    yield 'import the static users, remove them, and set sso.authentication.handlers: accounts, not static; profile production refuses static';
  }
  if (imported?.refused) {
    const services = join(into, 'services');
    yield `correct the refused files, or there is no start: tessera service import --dry-run ${services} ${settingsOf(into)} says how`;
  }
  if (move.old.some(({ name }) => /^cas\.authn\.(?:oidc|oauth)\./.test(name))) {
    yield 'for OpenID Connect, add oidc to sso.modules, and set sso.oidc.sealing-keys: docs/oidc-keys.md';
  }
  const sources = sourcesByHand(move);
  if (sources.length > 0) {
    yield `set sso.authentication.attributes-from: applications miss the attributes of ${sources.join(', ')}`;
  }
  if (users !== undefined) {
    const file = join(into, usersName(users));
    yield `import the users, then delete the file: tessera user import ${file} ${settingsOf(into)}`;
  }
}

/** Databases and directories of attributes that are left out. */
function sourcesByHand({ draft, old }: Move): readonly string[] {
  const source =
    /^cas\.authn\.attribute-repository\.(?:ldap(?:\[\d+\])?\.ldap-url|jdbc(?:\[\d+\])?\.sql)$/;
  return draft
    .entriesOf(old.filter(({ name }) => source.test(name)))
    .filter(({ section, note }) => section === 'left' && note !== SAME_DIRECTORY)
    .map(({ key }) => key.replace(/\.[^.]+$/, ''));
}

function* stepsOfConfigServer({ draft }: Move): Iterable<string> {
  if (draft.valueOf('config-server.clients') === undefined) {
    yield 'set config-server.clients: the programs that may read';
  }
  if (draft.valueOf('config-server.host') === undefined) {
    yield 'set config-server.host: without it only this machine may call';
  }
}

function hasPlainDirectory({ settings }: SettingsDraft): boolean {
  const hasStartTls = settings.some(
    ({ key, value }) => key.endsWith('.start-tls') && value === 'true',
  );
  return (
    !hasStartTls &&
    settings.some(
      ({ key, value }) =>
        key.endsWith('.urls') &&
        [value].flat().some((url) => typeof url === 'string' && NO_TLS.test(url)),
    )
  );
}
