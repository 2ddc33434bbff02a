// Owns the way from settings to a client, the one for all whose settings speak of a Vault. What the keys are is theirs.
import { refuseUnsafeEnvironment } from './environment.js';
import { LeasedToken } from './leased-token.js';
import {
  appRoleLogin,
  certificateLogin,
  givenToken,
  kubernetesLogin,
  type AppRole,
  type CertificateRole,
  type KubernetesRole,
  type LogIn,
} from './logins.js';
import type { SettingsFile } from './settings-file.js';
import { tokenFile, type TokenProvider } from './tokens.js';
import { VaultClient, type VaultOptions } from './vault-client.js';

/** Where Vault is, and who we are to it: one of the credentials is given. */
export interface VaultAccess extends Omit<VaultOptions, 'tokens'> {
  readonly token?: { reveal(): string } | undefined;
  readonly tokenFile?: SettingsFile | undefined;
  readonly appRole?: AppRole | undefined;
  readonly kubernetes?: KubernetesRole | undefined;
  readonly certificate?: CertificateRole | undefined;
}

/**
 * Reads files; asks Vault nothing yet.
 *
 * @param environment of this process
 * @throws VaultError VAULT_ENVIRONMENT_UNSAFE, VAULT_FILE_UNREADABLE
 */
export async function openVault(
  access: VaultAccess,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<VaultClient> {
  refuseUnsafeEnvironment(environment);
  const { uri, namespace, timeout, caFile } = access;
  return VaultClient.open({ uri, namespace, timeout, caFile, tokens: tokensOf(access) });
}

function tokensOf(access: VaultAccess): TokenProvider {
  return access.tokenFile ? tokenFile(access.tokenFile) : new LeasedToken(logInOf(access));
}

function logInOf({ appRole, kubernetes, certificate, token }: VaultAccess): LogIn {
  if (appRole) return appRoleLogin(appRole);
  if (kubernetes) return kubernetesLogin(kubernetes);
  if (certificate) return certificateLogin(certificate);
  return givenToken(() => token?.reveal() ?? '');
}
