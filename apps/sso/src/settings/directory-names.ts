// Which directories there are: one with its settings directly below `sso.authentication.ldap`, or several by names.
import {
  type CoreSettings,
  list,
  Setting,
  type SettingsGroup,
  type Violation,
} from '@tessera/config';
import type { LdapSettings } from './ldap-settings.js';

const KEY = 'sso.authentication.ldap.directories';
const NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
const MAX_NAME_LENGTH = 32;

/** A directory has the name of its handler. */
const TAKEN = ['accounts', 'none', 'static', 'x509'];

/** The settings that directories are made of. */
export interface DirectorySettings {
  readonly ldap: LdapSettings;
  readonly namedDirectories: ReadonlyMap<string, LdapSettings>;
  readonly directoryNames: DirectoryNames;
}

/** The directories in the order in which they are tried. A name without settings has none. */
export function directoriesOf(settings: DirectorySettings): readonly LdapSettings[] {
  const { ldap, namedDirectories, directoryNames } = settings;
  const { names } = directoryNames;
  return names.length === 0 ? [ldap] : names.flatMap((name) => namedDirectories.get(name) ?? []);
}

export class DirectoryNames implements SettingsGroup {
  /** In the order in which they are tried; empty: one directory, which has no name. */
  @Setting(KEY, list) names: readonly string[] = [];

  *check({ ldap, namedDirectories }: CoreSettings & DirectorySettings): Iterable<Violation> {
    const { names } = this;
    const wrong = names.find((name) => !NAME.test(name) || name.length > MAX_NAME_LENGTH);
    if (wrong !== undefined) {
      const rule = `must list names of lower-case letters, digits and -, of at most ${MAX_NAME_LENGTH}`;
      yield { key: KEY, message: `${rule}, not ${JSON.stringify(wrong)}`, rule };
    }
    if (new Set(names).size < names.length) yield { key: KEY, message: 'lists a name twice' };
    const taken = names.find((name) => TAKEN.includes(name));
    if (taken !== undefined) {
      yield { key: KEY, message: `may not list ${taken}, which has another meaning in logs` };
    }
    const unlisted = [...namedDirectories.keys()].find((name) => !names.includes(name));
    if (unlisted !== undefined) {
      yield { key: KEY, message: `must list ${unlisted}, which has settings` };
    }
    if (names.length > 0 && !ldap.isDefault) {
      const message = 'excludes settings of a directory without a name: give them below a name';
      yield { key: KEY, message };
    }
    const empty = names.find((name) => !namedDirectories.has(name));
    if (empty !== undefined) {
      const rule = 'lists a name that has no settings';
      yield { key: KEY, message: `${rule}: ${empty}`, rule };
    }
  }
}
