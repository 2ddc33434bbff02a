// Owns the settings of the backend `vault`: where Vault is, who we are to it, where it keeps properties.
import {
  type Complaint,
  type CoreSettings,
  duration,
  Matches,
  Max,
  Min,
  oneOf,
  secret,
  type Secret,
  Setting,
  type SettingsGroup,
  text,
} from '@tessera/settings';
import type { AppRole } from '@tessera/vault';
import { isLoopback } from '../callers/loopback.js';

const SECOND = 1_000;
const PATH = /^[A-Za-z0-9._-]+(?:\/[A-Za-z0-9._-]+)*$/;

/** What the rules look at besides: the settings that hold this group. */
type Holder = CoreSettings & { readonly backends?: readonly string[] };

export class VaultBackendSettings implements SettingsGroup {
  /** `https://vault.example.org:8200` */
  @Setting('config-server.vault.uri', text) uri = '';
  /** PEM: the CAs of Vault's certificate, instead of the public ones. */
  @Setting('config-server.vault.ca-file', text) caFile = '';
  @Setting('config-server.vault.namespace', text) namespace = '';
  /** For an answer, repeated attempts included. */
  @Setting('config-server.vault.timeout', duration)
  @Min(10)
  @Max(60 * SECOND)
  timeout = 2 * SECOND;

  @Setting('config-server.vault.token', secret) token: Secret | undefined = undefined;
  /** A file that holds the token, read for every request. */
  @Setting('config-server.vault.token-file', text) tokenFile = '';
  @Setting('config-server.vault.app-role.role-id', text) roleId = '';
  @Setting('config-server.vault.app-role.secret-id', secret) secretId: Secret | undefined =
    undefined;
  /** Where the login by AppRole is mounted. */
  @Setting('config-server.vault.app-role.path', text)
  @Matches(PATH, 'must be the path of a mount')
  appRolePath = 'approle';

  /** Where the key-value engine is mounted. */
  @Setting('config-server.vault.kv.backend', text)
  @Matches(PATH, 'must be the path of a mount')
  mount = 'secret';
  /** Of the key-value engine; `auto` asks Vault. */
  @Setting('config-server.vault.kv.version', oneOf('auto', '1', '2')) givenVersion:
    'auto' | '1' | '2' = 'auto';

  get version(): 1 | 2 | undefined {
    if (this.givenVersion === 'auto') return undefined;
    return this.givenVersion === '1' ? 1 : 2;
  }

  get appRole(): AppRole | undefined {
    if (this.roleId === '') return undefined;
    const revealSecretId = (): string => this.secretId?.reveal() ?? '';
    return { roleId: this.roleId, revealSecretId, mount: this.appRolePath };
  }

  *check(settings: Holder): Iterable<Complaint> {
    if (this.uri !== '') yield* this.checkUri(settings.isActive('production'));
    yield* this.checkCredentials();
    if (!settings.backends?.includes('vault')) return;
    if (this.uri === '') yield about('uri', 'is required by the backend vault');
    if (this.credentials.length === 0) {
      const others = `${keyOf('token-file')} or ${keyOf('app-role.role-id')}`;
      yield about('token', `or ${others} is required by the backend vault`);
    }
  }

  /** The keys of the ways to a token that are given. */
  private get credentials(): readonly string[] {
    const given = {
      token: (this.token?.reveal() ?? '') !== '',
      'token-file': this.tokenFile !== '',
      'app-role.role-id': this.roleId !== '',
    };
    return Object.entries(given).flatMap(([name, isGiven]) => (isGiven ? [name] : []));
  }

  private *checkUri(isProduction: boolean): Iterable<Complaint> {
    const url = URL.parse(this.uri);
    if (url === null || !/^https?:$/.test(url.protocol)) {
      yield about('uri', 'must be an http or https URL');
    } else if (url.search !== '' || url.hash !== '' || `${url.username}${url.password}` !== '') {
      yield about('uri', 'must have no query, fragment or user');
    } else if (isProduction && url.protocol === 'http:' && !isLoopback(hostOf(url))) {
      yield about('uri', 'must be https in profile production');
    }
  }

  private *checkCredentials(): Iterable<Complaint> {
    const [first, second] = this.credentials;
    if (first !== undefined && second !== undefined) {
      yield about(second, `may not be given together with ${keyOf(first)}`);
    }
    if (/[^\x21-\x7e]/.test(this.token?.reveal() ?? '')) {
      yield about('token', 'must be a token: letters, digits and signs, no white space');
    }
    const hasSecretId = (this.secretId?.reveal() ?? '') !== '';
    if (hasSecretId !== (this.roleId !== '')) {
      const [missing, given] = hasSecretId ? ['role-id', 'secret-id'] : ['secret-id', 'role-id'];
      yield about(`app-role.${missing}`, `is required with ${keyOf(`app-role.${given}`)}`);
    }
  }
}

function hostOf({ hostname }: URL): string {
  return hostname.replaceAll(/[[\]]/g, '');
}

function keyOf(name: string): string {
  return `config-server.vault.${name}`;
}

function about(name: string, message: string): Complaint {
  return { key: keyOf(name), message };
}
