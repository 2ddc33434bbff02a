// The repositories of the backend `git` besides the default one, named as in Spring Cloud Config.
import {
  hidden,
  list,
  map,
  record,
  secret,
  text,
  type Secret,
  type SettingParser,
  type ViolationText,
} from '@tessera/config';
import { repositoryViolations, type GitRepositorySettings } from './git-access.js';
import { gitTransportOf } from './git-uri.js';

/** Of names of applications and profiles, with `*` for any characters. */
const PATTERN = /^[A-Za-z0-9._/,*-]+$/;

interface RepositoryFields {
  readonly uri: string;
  readonly pattern: readonly string[];
  readonly 'search-paths': readonly string[];
  readonly 'default-label': string;
  readonly username: string;
  readonly password: Secret;
  readonly 'private-key-file': string;
  readonly 'known-hosts-file': string;
}

/** By name, in the order of the settings. */
export type RepositoryEntries = Readonly<Record<string, Partial<RepositoryFields>>>;

/** Never shown, because an entry may have a password. A text is an address. */
export const repositoryEntries: SettingParser<RepositoryEntries> = hidden(
  map(
    record<RepositoryFields>(
      {
        uri: text,
        pattern: list,
        'search-paths': list,
        'default-label': text,
        username: text,
        password: secret,
        'private-key-file': text,
        'known-hosts-file': text,
      },
      'uri',
    ),
  ),
);

export interface NamedRepository extends GitRepositorySettings {
  readonly name: string;
  /** Of `{application}/{profiles}`, as written. */
  readonly patterns: readonly string[];
}

/**
 * The repositories of the entries, in their order. Without a pattern, the name is the pattern.
 *
 * @param main the default repository. Files for ssh are those of it, and so are the credentials on the same host
 */
export function repositoriesIn(
  entries: RepositoryEntries,
  main: GitRepositorySettings,
): readonly NamedRepository[] {
  return Object.entries(entries).map(([name, entry]) => {
    const { uri = '', pattern: patterns = [name] } = entry;
    const isOnHost = originOf(uri) !== undefined && originOf(uri) === originOf(main.uri);
    const inherits = entry.username === undefined && entry.password === undefined && isOnHost;
    const { username = '', password } = inherits ? main : entry;
    return {
      name,
      patterns,
      uri,
      defaultLabel: entry['default-label'] ?? 'main',
      searchPaths: entry['search-paths'] ?? [],
      username,
      password,
      privateKeyFile: entry['private-key-file'] ?? main.privateKeyFile,
      knownHostsFile: entry['known-hosts-file'] ?? main.knownHostsFile,
    };
  });
}

/** Each begins with the name of the repository. */
export function* repositoriesViolations(
  entries: RepositoryEntries,
  main: GitRepositorySettings,
): Iterable<Required<ViolationText>> {
  for (const [index, repository] of repositoriesIn(entries, main).entries()) {
    for (const { message, rule = message } of violationsOf(repository)) {
      const name = JSON.stringify(repository.name);
      yield { message: `${name} ${message}`, rule: `entry ${index + 1} ${rule}` };
    }
  }
}

function* violationsOf(repository: NamedRepository): Iterable<ViolationText> {
  const { name, patterns, uri, defaultLabel } = repository;
  // A JavaScript object has such names first.
  if (/^\d+$/.test(name)) yield { message: 'may not be a whole number, which has no order' };
  if (uri === '') yield { message: 'needs a uri' };
  if (defaultLabel === '') yield { message: 'default-label must not be empty' };
  if (patterns.length === 0) yield { message: 'pattern must not be empty' };
  for (const pattern of patterns) {
    if (PATTERN.test(pattern)) continue;
    const rule = 'pattern may hold letters, digits and any of ._/,*-';
    yield { message: `${rule}: ${JSON.stringify(pattern)}`, rule };
  }
  for (const { key, message, rule = message } of repositoryViolations(
    repository,
    (field) => field,
  )) {
    yield { message: `${key} ${message}`, rule: `${key} ${rule}` };
  }
}

/** Scheme, host and port; undefined for addresses other than http and https. */
function originOf(uri: string): string | undefined {
  const isHttp = /^https?$/.test(gitTransportOf(uri) ?? '');
  return isHttp ? new URL(uri).origin : undefined;
}
