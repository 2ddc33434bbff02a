// The settings of the config server as a source: addresses, credentials and retries.
import { Matches, Max, Min } from 'class-validator';
import {
  boolean,
  type Violation,
  type CoreSettings,
  duration,
  integer,
  list,
  secret,
  type Secret,
  Setting,
  type SettingsGroup,
  text,
} from '../../settings/index.js';
import { serverUrlViolation } from '../server-url.js';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const NAME = String.raw`[A-Za-z0-9_-][A-Za-z0-9._-]*`;

export class ConfigServerClientSettings implements SettingsGroup {
  /** Tried in this order; empty: the config server is not used. */
  @Setting('sso.config-server.url', list) urls: readonly string[] = [];
  /** For HTTP Basic. */
  @Setting('sso.config-server.username', text) username = '';
  @Setting('sso.config-server.password', secret) password: Secret | undefined = undefined;
  /** A bearer token, instead of user name and password. */
  @Setting('sso.config-server.token', secret) token: Secret | undefined = undefined;
  /** A branch, tag or commit; empty: the server's default. */
  @Setting('sso.config-server.label', text)
  @Matches(new RegExp(`^(?:${NAME}(?:/${NAME})*)?$`), {
    message: 'must be the name of a branch, tag or commit',
  })
  label = '';
  /** Whether an unavailable server stops the start. */
  @Setting('sso.config-server.fail-fast', boolean) failFast = true;
  /** Per request, in milliseconds. */
  @Setting('sso.config-server.timeout', duration) @Min(10) @Max(MINUTE) timeout = 2 * SECOND;

  /** How often all servers are tried. */
  @Setting('sso.config-server.retry.max-attempts', integer) @Min(1) @Max(100) maxAttempts = 6;
  @Setting('sso.config-server.retry.initial-interval', duration)
  @Min(1)
  @Max(MINUTE)
  initialInterval = SECOND;
  @Setting('sso.config-server.retry.max-interval', duration)
  @Min(1)
  @Max(10 * MINUTE)
  maxInterval = 2 * SECOND;

  /** PEM file with the CAs of the servers' certificates, instead of the public ones. */
  @Setting('sso.config-server.ca-file', text) caFile = '';
  /** The file of the last answer, encrypted; empty: it is not saved. */
  @Setting('sso.config-server.last-known-good', text) lastKnownGood = '';

  /** The URLs, without a slash at the end. */
  get servers(): readonly string[] {
    return this.urls.map((url) => url.replace(/\/+$/, ''));
  }

  /** The name of the credential's setting; undefined if none is set. */
  get credential(): 'token' | 'password' | undefined {
    if (this.token !== undefined) return 'token';
    return this.password === undefined ? undefined : 'password';
  }

  /** The `Authorization` header, for valid settings. */
  authorization(): string | undefined {
    if (this.token !== undefined) return `Bearer ${this.token.reveal()}`;
    if (this.password === undefined) return undefined;
    const pair = Buffer.from(`${this.username}:${this.password.reveal()}`);
    return `Basic ${pair.toString('base64')}`;
  }

  *check(settings: Pick<CoreSettings, 'isActive'>): Iterable<Violation> {
    const messages = this.urls.map((url) => serverUrlViolation(url, settings));
    const message = messages.find((each) => each !== undefined);
    if (message !== undefined) yield violationOf('url', message);
    yield* this.checkCredentials();
    if (this.maxInterval < this.initialInterval) {
      const least = keyOf('retry.initial-interval');
      yield violationOf('retry.max-interval', `must not be less than ${least}`);
    }
  }

  private *checkCredentials(): Iterable<Violation> {
    const hasUsername = this.username !== '';
    const hasPassword = this.password !== undefined;
    if (this.token !== undefined && (hasUsername || hasPassword)) {
      const others = `${keyOf('username')} and ${keyOf('password')}`;
      yield violationOf('token', `may not be given together with ${others}`);
    } else if (hasUsername !== hasPassword) {
      const [missing, given] = hasUsername ? ['password', 'username'] : ['username', 'password'];
      yield violationOf(missing, `is required with ${keyOf(given)}`);
    }
    if (/[:\p{Cc}]/u.test(this.username)) {
      yield violationOf('username', 'must have no colon and no control characters');
    }
    if (this.password?.reveal() === '') yield violationOf('password', 'must not be empty');
    if (this.token !== undefined && !/^[\x21-\x7e]+$/.test(this.token.reveal())) {
      yield violationOf('token', 'must be a token: letters, digits and signs, no white space');
    }
  }
}

/** The key of one of these settings. */
export function keyOf(name: string): string {
  return `sso.config-server.${name}`;
}

function violationOf(name: string, message: string): Violation {
  return { key: keyOf(name), message };
}
