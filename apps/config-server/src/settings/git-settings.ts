// The settings of the backend `git`.
import { IsNotEmpty, Max, Min } from 'class-validator';
import { isLoopback } from '@tessera/server';
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
import { gitTransportOf, gitUriViolation } from './git-uri.js';
import { searchPathViolations } from './search-path-rules.js';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const DAY = 1_440 * MINUTE;
/** In characters. Guesses at the secret are not throttled, so it must be long. */
const SHORTEST_SECRET = 16;
/** A path that needs no quoting, in a shell or in the options of ssh. */
const PLAIN_PATH = /^(?:\/[A-Za-z0-9._/@+-]+)?$/;

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

export class GitSettings implements SettingsGroup {
  @Setting('config-server.git.uri', text) uri = '';
  /** For requests without a label. */
  @Setting('config-server.git.default-label', text)
  @IsNotEmpty({ message: 'must not be empty' })
  defaultLabel = 'main';
  /** Directories of the repository besides its root, the strongest last. */
  @Setting('config-server.git.search-paths', list) searchPaths: readonly string[] = [];

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

  /**
   * For settings without violations.
   * @param servesLastKnown whether the clone is served while the repository cannot be fetched
   */
  options(servesLastKnown = false): GitOptions {
    const { uri, defaultLabel, searchPaths, refresh, timeout, cloneDirectory } = this;
    const { username, password, privateKeyFile, knownHostsFile } = this;
    const credentials = password && username !== '' ? { username, password } : undefined;
    const access = { credentials, privateKeyFile, knownHostsFile };
    const places = { uri, defaultLabel, searchPaths, cloneDirectory };
    return { ...places, refresh, timeout, access, servesLastKnown };
  }

  *check(settings: Holder): Iterable<Violation> {
    if (this.uri !== '') yield* this.checkUri();
    else if (settings.backends?.includes('git')) {
      yield about('uri', 'is required by the backend git');
    }
    yield* searchPathViolations(keyOf('search-paths'), this.searchPaths);
    yield* this.checkCredentials();
    yield* this.checkFiles();
    const secrets = { 'webhook-secret': this.webhookSecret, 'webhook-token': this.webhookToken };
    for (const [name, given] of Object.entries(secrets)) {
      const { length } = revealed(given);
      if (length === 0 || length >= SHORTEST_SECRET) continue;
      yield about(name, `must have at least ${SHORTEST_SECRET} characters`);
    }
  }

  private *checkUri(): Iterable<Violation> {
    const violation = gitUriViolation(this.uri);
    if (violation !== undefined) yield about('uri', violation);
    if (this.password && isOverheard(this.uri)) {
      yield about('uri', 'must be https where there is a password');
    }
  }

  private *checkCredentials(): Iterable<Violation> {
    const password = revealed(this.password);
    if (password !== '' && this.username === '') {
      yield about('username', `is required with ${keyOf('password')}`);
    }
    if (password === '' && this.username !== '') {
      yield about('password', `is required with ${keyOf('username')}`);
    }
    for (const [name, value] of Object.entries({ username: this.username, password })) {
      if (/\p{Cc}/u.test(value)) yield about(name, 'may hold no control characters');
    }
    if (password !== '' && !/^https?$/.test(gitTransportOf(this.uri) ?? 'http')) {
      yield about('password', 'is for https alone');
    }
  }

  private *checkFiles(): Iterable<Violation> {
    const files = {
      'private-key-file': this.privateKeyFile,
      'known-hosts-file': this.knownHostsFile,
    };
    for (const [name, path] of Object.entries(files)) {
      if (PLAIN_PATH.test(path)) continue;
      yield about(name, 'must be an absolute path of letters, digits and any of ._/@+-');
    }
  }
}

/** Whether the password would cross the network unencrypted. */
function isOverheard(uri: string): boolean {
  if (gitTransportOf(uri) !== 'http') return false;
  return !isLoopback(new URL(uri).hostname.replaceAll(/^\[|\]$/g, ''));
}

function revealed(given: Secret | undefined): string {
  return given?.reveal() ?? '';
}

function keyOf(name: string): string {
  return `config-server.git.${name}`;
}

function about(name: string, message: string): Violation {
  return { key: keyOf(name), message };
}
