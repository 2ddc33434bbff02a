// The settings of the backend `vault`.
import { Matches, Max, Min } from 'class-validator';
import {
  credentialsIn,
  MOUNT_PATH,
  vaultViolations,
  type Violation,
  type CoreSettings,
  duration,
  oneOf,
  secret,
  type Secret,
  Setting,
  type SettingsGroup,
  text,
} from '@tessera/config';
import type { VaultAccess } from '@tessera/vault';

const SECOND = 1_000;
const GROUP = 'config-server.vault';

/** The settings that contain this group. */
type Holder = CoreSettings & { readonly backends?: readonly string[] };

export class VaultBackendSettings implements SettingsGroup {
  /** `https://vault.example.org:8200` */
  @Setting('config-server.vault.uri', text) uri = '';
  /** PEM: the CAs of Vault's certificate, in place of the public CAs. */
  @Setting('config-server.vault.ca-file', text) caFile = '';
  @Setting('config-server.vault.namespace', text) namespace = '';
  /** For a request, including its retries. */
  @Setting('config-server.vault.timeout', duration)
  @Min(10)
  @Max(60 * SECOND)
  timeout = 2 * SECOND;

  @Setting('config-server.vault.token', secret) token: Secret | undefined = undefined;
  /** A file that contains the token, read for every request. */
  @Setting('config-server.vault.token-file', text) tokenFile = '';
  @Setting('config-server.vault.app-role.role-id', text) roleId = '';
  @Setting('config-server.vault.app-role.secret-id', secret) secretId: Secret | undefined =
    undefined;
  /** The mount of the AppRole login. */
  @Setting('config-server.vault.app-role.path', text)
  @Matches(MOUNT_PATH, { message: 'must be the path of a mount' })
  appRolePath = 'approle';

  /** The mount of the key-value engine. */
  @Setting('config-server.vault.kv.backend', text)
  @Matches(MOUNT_PATH, { message: 'must be the path of a mount' })
  mount = 'secret';
  /** Of the key-value engine; `auto` detects it. */
  @Setting('config-server.vault.kv.version', oneOf('auto', '1', '2')) givenVersion:
    'auto' | '1' | '2' = 'auto';

  get version(): 1 | 2 | undefined {
    if (this.givenVersion === 'auto') return undefined;
    return this.givenVersion === '1' ? 1 : 2;
  }

  /** For settings without violations. */
  get access(): VaultAccess {
    const { uri, namespace, timeout, token } = this;
    return {
      uri,
      namespace,
      timeout,
      token,
      appRole: this.appRole,
      caFile: fileOf('ca-file', this.caFile),
      tokenFile: fileOf('token-file', this.tokenFile),
    };
  }

  *check(settings: Holder): Iterable<Violation> {
    yield* vaultViolations(GROUP, this, settings);
    if (!settings.backends?.includes('vault')) return;
    if (this.uri === '') yield about('uri', 'is required by the backend vault');
    if (credentialsIn(this).length === 0) {
      const others = `${keyOf('token-file')} or ${keyOf('app-role.role-id')}`;
      yield about('token', `or ${others} is required by the backend vault`);
    }
  }

  private get appRole(): VaultAccess['appRole'] {
    if (this.roleId === '') return undefined;
    const revealSecretId = (): string => this.secretId?.reveal() ?? '';
    return { roleId: this.roleId, revealSecretId, mount: this.appRolePath };
  }
}

function fileOf(name: string, path: string): VaultAccess['caFile'] {
  return path === '' ? undefined : { setting: keyOf(name), path };
}

function keyOf(name: string): string {
  return `${GROUP}.${name}`;
}

function about(name: string, message: string): Violation {
  return { key: keyOf(name), message };
}
