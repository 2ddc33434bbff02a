// The settings of Vault as a source: address, credentials and paths.
import { IsNotEmpty, Matches, Max, Min } from 'class-validator';
import type { VaultAccess } from '@tessera/vault';
import {
  boolean,
  type Violation,
  type CoreSettings,
  duration,
  integer,
  oneOf,
  secret,
  type Secret,
  Setting,
  type SettingsGroup,
  text,
} from '../../settings/index.js';
import { credentialsIn, MOUNT_PATH, vaultViolations, type GivenAccess } from './vault-rules.js';

const SECOND = 1_000;
const NO_MOUNT = 'must be the path of a mount';
const SERVICE_ACCOUNT = '/var/run/secrets/kubernetes.io/serviceaccount/token';

type Version = 'auto' | '1' | '2';

export class VaultSettings implements SettingsGroup {
  /** For example `https://vault.example.org:8200`; empty: Vault is not used. */
  @Setting('vault.uri', text) uri = '';
  /** PEM file with the CAs of Vault's certificate, instead of the public ones. */
  @Setting('vault.ca-file', text) caFile = '';
  @Setting('vault.namespace', text) namespace = '';
  /** Per request, in milliseconds. */
  @Setting('vault.timeout', duration)
  @Min(10)
  @Max(60 * SECOND)
  timeout = 2 * SECOND;
  /** Whether settings that cannot be read are violations; if false, the program starts without them. */
  @Setting('vault.fail-fast', boolean) failFast = true;

  @Setting('vault.retry.max-attempts', integer) @Min(1) @Max(100) maxAttempts = 6;
  @Setting('vault.retry.initial-interval', duration)
  @Min(1)
  @Max(60 * SECOND)
  initialInterval = SECOND;
  @Setting('vault.retry.max-interval', duration)
  @Min(1)
  @Max(60 * SECOND)
  maxInterval = 2 * SECOND;

  @Setting('vault.token', secret) token: Secret | undefined = undefined;
  /** A file with the token, read for every request. */
  @Setting('vault.token-file', text) tokenFile = '';

  @Setting('vault.app-role.role-id', text) roleId = '';
  @Setting('vault.app-role.secret-id', secret) secretId: Secret | undefined = undefined;
  @Setting('vault.app-role.path', text) @Matches(MOUNT_PATH, { message: NO_MOUNT }) appRolePath =
    'approle';

  @Setting('vault.kubernetes.role', text) kubernetesRole = '';
  /** Read at each login. */
  @Setting('vault.kubernetes.service-account-token-file', text)
  @IsNotEmpty({ message: 'must not be empty' })
  serviceAccountTokenFile = SERVICE_ACCOUNT;
  @Setting('vault.kubernetes.path', text)
  @Matches(MOUNT_PATH, { message: NO_MOUNT })
  kubernetesPath = 'kubernetes';

  /** PEM files of the client certificate, read at each login. */
  @Setting('vault.ssl.certificate-file', text) certificateFile = '';
  @Setting('vault.ssl.key-file', text) keyFile = '';
  /** Empty: Vault uses the first role that matches the certificate. */
  @Setting('vault.ssl.role', text) certificateRole = '';
  @Setting('vault.ssl.path', text) @Matches(MOUNT_PATH, { message: NO_MOUNT }) certificatePath =
    'cert';

  /** The mount of the key-value engine. */
  @Setting('vault.kv.backend', text) @Matches(MOUNT_PATH, { message: NO_MOUNT }) mount = 'secret';
  /** The version of the key-value engine; `auto`: as Vault reports it. */
  @Setting('vault.kv.version', oneOf('auto', '1', '2')) givenVersion: Version = 'auto';

  get version(): 1 | 2 | undefined {
    if (this.givenVersion === 'auto') return undefined;
    return this.givenVersion === '1' ? 1 : 2;
  }

  /** The key of the credential. */
  get credential(): string {
    const [first = 'token'] = credentialsIn(this.given);
    return `vault.${first === 'app-role.role-id' ? 'app-role.secret-id' : first}`;
  }

  /** For valid settings. */
  get access(): VaultAccess {
    const { uri, namespace, timeout, token } = this;
    return {
      uri,
      namespace,
      timeout,
      token,
      appRole: this.appRole,
      caFile: fileOf('vault.ca-file', this.caFile),
      tokenFile: fileOf('vault.token-file', this.tokenFile),
      kubernetes: this.kubernetes,
      certificate: this.certificate,
    };
  }

  *check(profiles: Pick<CoreSettings, 'isActive'>): Iterable<Violation> {
    // VAULT_TOKEN and similar variables may be set for other programs.
    if (this.uri === '') return;
    yield* vaultViolations('vault', this.given, profiles);
    yield* this.checkCertificate();
    if (credentialsIn(this.given).length === 0) {
      const others =
        'vault.token-file, vault.app-role.*, vault.kubernetes.role or vault.ssl.certificate-file';
      yield { key: 'vault.token', message: `or ${others} is required with vault.uri` };
    }
  }

  private *checkCertificate(): Iterable<Violation> {
    const [certificate, key] = ['vault.ssl.certificate-file', 'vault.ssl.key-file'] as const;
    if ((this.certificateFile === '') !== (this.keyFile === '')) {
      const [missing, given] = this.keyFile === '' ? [key, certificate] : [certificate, key];
      yield { key: missing, message: `is required with ${given}` };
    }
    if (this.certificateFile !== '' && /^http:/i.test(this.uri)) {
      yield { key: 'vault.uri', message: `must be https with ${certificate}` };
    }
  }

  private get given(): GivenAccess {
    const { uri, token, tokenFile, roleId, secretId } = this;
    const otherLogins = {
      'kubernetes.role': this.kubernetesRole !== '',
      'ssl.certificate-file': this.certificateFile !== '',
    };
    return { uri, token, tokenFile, roleId, secretId, otherLogins };
  }

  private get appRole(): VaultAccess['appRole'] {
    if (this.roleId === '') return undefined;
    const revealSecretId = (): string => this.secretId?.reveal() ?? '';
    return { roleId: this.roleId, revealSecretId, mount: this.appRolePath };
  }

  private get kubernetes(): VaultAccess['kubernetes'] {
    const setting = 'vault.kubernetes.service-account-token-file';
    const tokenFile = fileOf(setting, this.serviceAccountTokenFile);
    if (this.kubernetesRole === '' || tokenFile === undefined) return undefined;
    return { role: this.kubernetesRole, tokenFile, mount: this.kubernetesPath };
  }

  private get certificate(): VaultAccess['certificate'] {
    const certificateFile = fileOf('vault.ssl.certificate-file', this.certificateFile);
    const keyFile = fileOf('vault.ssl.key-file', this.keyFile);
    if (certificateFile === undefined || keyFile === undefined) return undefined;
    return { certificateFile, keyFile, role: this.certificateRole, mount: this.certificatePath };
  }
}

function fileOf(setting: string, path: string): VaultAccess['caFile'] {
  return path === '' ? undefined : { setting, path };
}
