// Owns the settings of the way to the config server. Files are read when it is asked.
import {
  boolean,
  type Complaint,
  type CoreSettings,
  duration,
  integer,
  list,
  Live,
  Matches,
  Max,
  Min,
  secret,
  type Secret,
  Setting,
  type SettingsGroup,
  text,
} from '@tessera/settings';
import { serverUrlFault } from '../server-url.js';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const NAME = String.raw`[A-Za-z0-9_-][A-Za-z0-9._-]*`;

/** All of it counts whenever settings are loaded. */
@Live()
export class ConfigServerClientSettings implements SettingsGroup {
  /** Asked in this order; none: there is no config server. */
  @Setting('sso.config-server.url', list) urls: readonly string[] = [];
  /** For HTTP Basic. */
  @Setting('sso.config-server.username', text) username = '';
  @Setting('sso.config-server.password', secret) password: Secret | undefined = undefined;
  /** A bearer token, instead of user name and password. */
  @Setting('sso.config-server.token', secret) token: Secret | undefined = undefined;
  /** A branch, tag or commit; empty: the server's own choice. */
  @Setting('sso.config-server.label', text)
  @Matches(new RegExp(`^(?:${NAME}(?:/${NAME})*)?$`), 'must be the name of a branch, tag or commit')
  label = '';
  /** Whether a server that is away keeps the application from starting. */
  @Setting('sso.config-server.fail-fast', boolean) failFast = true;
  /** For one answer. */
  @Setting('sso.config-server.timeout', duration) @Min(10) @Max(MINUTE) timeout = 2 * SECOND;

  /** How often all servers are asked. */
  @Setting('sso.config-server.retry.max-attempts', integer) @Min(1) @Max(100) maxAttempts = 6;
  @Setting('sso.config-server.retry.initial-interval', duration)
  @Min(1)
  @Max(MINUTE)
  initialInterval = SECOND;
  @Setting('sso.config-server.retry.max-interval', duration)
  @Min(1)
  @Max(10 * MINUTE)
  maxInterval = 2 * SECOND;

  /** PEM: the CAs of the servers' certificates, instead of the public ones. */
  @Setting('sso.config-server.ca-file', text) caFile = '';
  /** Where the last answer is kept, encrypted; empty: nowhere. */
  @Setting('sso.config-server.last-known-good', text) lastKnownGood = '';

  /** The URLs, without a slash at the end. */
  get servers(): readonly string[] {
    return this.urls.map((url) => url.replace(/\/+$/, ''));
  }

  /** The name of the setting with what proves who we are; undefined where there is none. */
  get credential(): 'token' | 'password' | undefined {
    if (this.token !== undefined) return 'token';
    return this.password === undefined ? undefined : 'password';
  }

  /** The header of that name; of settings that {@link check} has nothing against. */
  authorization(): string | undefined {
    if (this.token !== undefined) return `Bearer ${this.token.reveal()}`;
    if (this.password === undefined) return undefined;
    const pair = Buffer.from(`${this.username}:${this.password.reveal()}`);
    return `Basic ${pair.toString('base64')}`;
  }

  *check(settings: Pick<CoreSettings, 'isActive'>): Iterable<Complaint> {
    const faults = this.urls.map((url) => serverUrlFault(url, settings));
    const fault = faults.find((each) => each !== undefined);
    if (fault !== undefined) yield about('url', fault);
    yield* this.checkCredentials();
    if (this.maxInterval < this.initialInterval) {
      const least = keyOf('retry.initial-interval');
      yield about('retry.max-interval', `must not be less than ${least}`);
    }
  }

  private *checkCredentials(): Iterable<Complaint> {
    const hasUsername = this.username !== '';
    const hasPassword = this.password !== undefined;
    if (this.token !== undefined && (hasUsername || hasPassword)) {
      const others = `${keyOf('username')} and ${keyOf('password')}`;
      yield about('token', `may not be given together with ${others}`);
    } else if (hasUsername !== hasPassword) {
      const [missing, given] = hasUsername ? ['password', 'username'] : ['username', 'password'];
      yield about(missing, `is required with ${keyOf(given)}`);
    }
    if (/[:\p{Cc}]/u.test(this.username)) {
      yield about('username', 'must have no colon and no control characters');
    }
    if (this.password?.reveal() === '') yield about('password', 'must not be empty');
    if (this.token !== undefined && !/^[\x21-\x7e]+$/.test(this.token.reveal())) {
      yield about('token', 'must be a token: letters, digits and signs, no white space');
    }
  }
}

/** The key of one of these settings. */
export function keyOf(name: string): string {
  return `sso.config-server.${name}`;
}

function about(name: string, message: string): Complaint {
  return { key: keyOf(name), message };
}
