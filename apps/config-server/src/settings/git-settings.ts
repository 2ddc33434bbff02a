// The settings of the backend `git`.
import { IsNotEmpty, Max, Min } from 'class-validator';
import {
  type Violation,
  type CoreSettings,
  duration,
  list,
  secret,
  type Secret,
  Setting,
  type SettingsGroup,
  text,
} from '@tessera/config';
import { repositoryViolations, type GitRepositorySettings } from './git-access.js';
import { gitProxyOf, proxyViolations, type GitProxy, type GitProxySettings } from './git-proxy.js';
import {
  repositoriesIn,
  repositoriesViolations,
  repositoryEntries,
  type NamedRepository,
  type RepositoryEntries,
} from './git-repositories.js';
import { joinedViolation } from './joined-violation.js';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const DAY = 1_440 * MINUTE;
/** In characters. Guesses at the secret are not throttled, so it must be long. */
const SHORTEST_SECRET = 16;

/** The settings that contain this group. */
type Holder = CoreSettings & { readonly backends?: readonly string[] };

/** Credentials for the remote repository, and how to verify its host. */
interface GitAccess {
  /** For http and https; sent to the host of the repository alone. */
  readonly credentials?: { readonly username: string; readonly password: Secret } | undefined;
  /** For ssh; empty for the keys of the agent. Letters, digits and any of `._/@+-`. */
  readonly privateKeyFile: string;
  /** For ssh; empty for the user's own. Letters, digits and any of `._/@+-`. */
  readonly knownHostsFile: string;
}

export interface GitOptions {
  /** In one of the forms of git-uri.ts; holds no secret. */
  readonly uri: string;
  readonly access: GitAccess;
  readonly proxy: GitProxy | undefined;
  readonly defaultLabel: string;
  readonly searchPaths: readonly string[];
  /** Milliseconds from one fetch to the next; 0 for none by interval. */
  readonly refresh: number;
  /** Milliseconds for one command. */
  readonly timeout: number;
  /** Whether requests get the last known state while the repository cannot be fetched. */
  readonly servesLastKnown: boolean;
  /** Holds one bare clone for each URI. One process uses it. */
  readonly cloneDirectory: string;
}

/** A repository for the applications and profiles that its patterns match. */
export interface PatternOptions extends Pick<NamedRepository, 'patterns'> {
  readonly options: GitOptions;
}

export class GitSettings implements SettingsGroup, GitRepositorySettings, GitProxySettings {
  @Setting('config-server.git.uri', text) uri = '';
  /** For requests without a label. */
  @Setting('config-server.git.default-label', text)
  @IsNotEmpty({ message: 'must not be empty' })
  defaultLabel = 'main';
  /** Directories of the repository besides its root, the strongest last. */
  @Setting('config-server.git.search-paths', list) searchPaths: readonly string[] = [];

  /** Further repositories; the first whose pattern matches is used instead of the one above. */
  @Setting('config-server.git.repos', repositoryEntries) repos: RepositoryEntries = {};

  /** The polling interval; 0 for fetches at start and by webhook only. */
  @Setting('config-server.git.refresh', duration) @Min(0) @Max(DAY) refresh = MINUTE;
  /** For one git command, also for the first fetch of a large repository. */
  @Setting('config-server.git.timeout', duration) @Min(SECOND) @Max(DAY) timeout = 30 * SECOND;
  @Setting('config-server.git.clone-directory', text)
  @IsNotEmpty({ message: 'must not be empty' })
  cloneDirectory = './.data/config-git';

  /** Verifies the signatures of webhooks; without it and the token the webhook is disabled. */
  @Setting('config-server.git.webhook-secret', secret)
  webhookSecret: Secret | undefined = undefined;
  /** The token of GitLab's webhooks, which have no signature. */
  @Setting('config-server.git.webhook-token', secret)
  webhookToken: Secret | undefined = undefined;

  @Setting('config-server.git.username', text) username = '';
  @Setting('config-server.git.password', secret) password: Secret | undefined = undefined;
  /** For ssh, in the formats of OpenSSH; empty: the agent's keys and the user's known hosts. */
  @Setting('config-server.git.private-key-file', text) privateKeyFile = '';
  @Setting('config-server.git.known-hosts-file', text) knownHostsFile = '';

  /** For all repositories over http and https; empty: as the environment has it. */
  @Setting('config-server.git.proxy.uri', text) proxyUri = '';
  @Setting('config-server.git.proxy.username', text) proxyUsername = '';
  @Setting('config-server.git.proxy.password', secret)
  proxyPassword: Secret | undefined = undefined;
  @Setting('config-server.git.proxy.no-proxy', list) proxyExceptions: readonly string[] = [];

  /**
   * Of the default repository, for settings without violations.
   * @param servesLastKnown whether the clone is served while the repository cannot be fetched
   */
  options(servesLastKnown = false): GitOptions {
    return this.optionsOf(this, servesLastKnown);
  }

  /** Of the repositories with patterns, in their order. @param servesLastKnown as for {@link options} */
  otherRepositories(servesLastKnown = false): readonly PatternOptions[] {
    return repositoriesIn(this.repos, this).map((repository) => {
      const options = this.optionsOf(repository, servesLastKnown);
      return { patterns: repository.patterns, options };
    });
  }

  *check(settings: Holder): Iterable<Violation> {
    if (this.uri === '' && settings.backends?.includes('git')) {
      yield { key: keyOf('uri'), message: 'is required by the backend git' };
    }
    yield* repositoryViolations(this, keyOf);
    yield* joinedViolation(keyOf('repos'), repositoriesViolations(this.repos, this));
    yield* proxyViolations(this);
    const secrets = { 'webhook-secret': this.webhookSecret, 'webhook-token': this.webhookToken };
    for (const [name, given] of Object.entries(secrets)) {
      const length = given?.reveal().length ?? 0;
      if (length === 0 || length >= SHORTEST_SECRET) continue;
      yield { key: keyOf(name), message: `must have at least ${SHORTEST_SECRET} characters` };
    }
  }

  private optionsOf(repository: GitRepositorySettings, servesLastKnown: boolean): GitOptions {
    const { refresh, timeout, cloneDirectory } = this;
    const { uri, defaultLabel, searchPaths, username, password } = repository;
    const { privateKeyFile, knownHostsFile } = repository;
    const credentials = password && username !== '' ? { username, password } : undefined;
    const access = { credentials, privateKeyFile, knownHostsFile };
    const places = { uri, defaultLabel, searchPaths, cloneDirectory };
    const proxy = gitProxyOf(this);
    return { ...places, refresh, timeout, access, proxy, servesLastKnown };
  }
}

function keyOf(field: string): string {
  return `config-server.git.${field}`;
}
