// The settings of one git repository, and their rules.
import { isLoopback } from '@tessera/server';
import type { Secret, Violation } from '@tessera/config';
import { gitTransportOf, gitUriViolation } from './git-uri.js';
import { searchPathViolations } from './search-path-rules.js';

/** A path that needs no quoting, in a shell or in the options of ssh. */
const PLAIN_PATH = /^(?:\/[A-Za-z0-9._/@+-]+)?$/;

export interface GitRepositorySettings {
  /** In one of the forms of git-uri.ts; holds no secret. */
  readonly uri: string;
  /** For requests without a label. */
  readonly defaultLabel: string;
  /** Directories of the repository besides its root, the strongest last. */
  readonly searchPaths: readonly string[];
  readonly username: string;
  readonly password: Secret | undefined;
  /** For ssh, in the formats of OpenSSH; empty: the agent's keys and the user's known hosts. */
  readonly privateKeyFile: string;
  readonly knownHostsFile: string;
}

/**
 * The violations of the settings of a repository, except for a missing address.
 *
 * @param keyOf the key of a field, such as `search-paths`
 */
export function* repositoryViolations(
  given: GitRepositorySettings,
  keyOf: (field: string) => string,
): Iterable<Violation> {
  if (given.uri !== '') {
    for (const message of uriViolations(given)) yield { key: keyOf('uri'), message };
  }
  yield* searchPathViolations(keyOf('search-paths'), given.searchPaths);
  yield* credentialViolations(given, keyOf);
  if (isPasswordWithoutHttp(given)) yield { key: keyOf('password'), message: 'is for https alone' };
  const files = {
    'private-key-file': given.privateKeyFile,
    'known-hosts-file': given.knownHostsFile,
  };
  for (const [field, path] of Object.entries(files)) {
    if (PLAIN_PATH.test(path)) continue;
    const message = 'must be an absolute path of letters, digits and any of ._/@+-';
    yield { key: keyOf(field), message };
  }
}

function* uriViolations({ uri, password }: GitRepositorySettings): Iterable<string> {
  const violation = gitUriViolation(uri);
  if (violation !== undefined) yield violation;
  if (password && isOverheard(uri)) yield 'must be https where there is a password';
}

/** The violations of a user and a password, of which none or both must be given. */
export function* credentialViolations(
  given: Pick<GitRepositorySettings, 'username' | 'password'>,
  keyOf: (field: string) => string,
): Iterable<Violation> {
  const { username } = given;
  const password = given.password?.reveal() ?? '';
  if (password !== '' && username === '') {
    yield { key: keyOf('username'), message: `is required with ${keyOf('password')}` };
  }
  if (password === '' && username !== '') {
    yield { key: keyOf('password'), message: `is required with ${keyOf('username')}` };
  }
  for (const [field, value] of Object.entries({ username, password })) {
    if (!/\p{Cc}/u.test(value)) continue;
    yield { key: keyOf(field), message: 'may hold no control characters' };
  }
}

function isPasswordWithoutHttp({ uri, password }: GitRepositorySettings): boolean {
  const isGiven = (password?.reveal() ?? '') !== '';
  return isGiven && !/^https?$/.test(gitTransportOf(uri) ?? 'http');
}

/** Whether the password would cross the network unencrypted. */
function isOverheard(uri: string): boolean {
  if (gitTransportOf(uri) !== 'http') return false;
  return !isLoopback(new URL(uri).hostname.replaceAll(/^\[|\]$/g, ''));
}
