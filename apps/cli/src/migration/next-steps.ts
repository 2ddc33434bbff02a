// What is to be done by hand between `tessera migrate` and the first start.
import { extname, join } from 'node:path';
import type { ImportReport } from '@tessera/services';
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

const NO_TLS = /^ldap:\/\/(?!localhost\b|127\.|\[::1\])/;

export function nextSteps(move: Move): readonly string[] {
  const { into, application, old } = move;
  const where = `--profiles.active=production --settings.location=${into}`;
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

function* stepsOfSso({ into, draft, imported, users }: Move): Iterable<string> {
  const has = (key: string): boolean => draft.valueOf(key) !== undefined;
  if (!has('database.url')) yield 'set database.url: a database of PostgreSQL';
  if (!has('sso.base-url')) yield 'set sso.base-url: the URL of users and applications';
  if (has('sso.tls.key-file')) yield 'put the certificate and its key at sso.tls.*, in PEM';
  if (hasPlainDirectory(draft)) {
    yield 'set ldaps:// URLs, or start-tls: profile production refuses plain ldap://';
  }
  if (has('sso.authentication.static.users')) {
    yield 'import the static users, and remove them: profile production refuses them';
  }
  if (imported?.refused) {
    yield `correct the refused files in ${join(into, 'services')}: there is no start with them`;
  }
  if (users !== undefined) {
    yield `import the users: tessera user import ${join(into, usersName(users))}`;
  }
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
