// Logs in to Vault: by a given token, AppRole, Kubernetes or a TLS certificate.
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readSettingsFile, type SettingsFile } from './settings-file.js';
import { readToken, type Login, type TokenCalls } from './tokens.js';
import { VaultError } from './vault-error.js';

/** Obtains a new token. Files are read at each login, since they may be replaced. @throws VaultError */
export type LogIn = (vault: TokenCalls) => Promise<Login>;

export interface AppRole {
  readonly roleId: string;
  readonly revealSecretId: () => string;
  /** Where the method is mounted: `approle`. */
  readonly mount: string;
}

export interface KubernetesRole {
  readonly role: string;
  /** The file with the token of the service account. */
  readonly tokenFile: SettingsFile;
  /** Where the method is mounted: `kubernetes`. */
  readonly mount: string;
}

export interface CertificateRole {
  /** PEM, with the chain. */
  readonly certificateFile: SettingsFile;
  /** PEM, without passphrase. */
  readonly keyFile: SettingsFile;
  /** Empty: the first role that accepts the certificate. */
  readonly role: string;
  /** Where the method is mounted: `cert`. */
  readonly mount: string;
}

/**
 * Uses a given token, and looks up its lifetime. Where its policy forbids the lookup, it counts as one that never expires.
 *
 * @param reveal returns the token; a function, so that logging the object does not show it
 */
export function givenToken(reveal: () => string): LogIn {
  return async (vault) => {
    try {
      return await vault.lookUp(reveal());
    } catch (error) {
      if (!(error instanceof VaultError && error.code === 'VAULT_REFUSED')) throw error;
      return { token: reveal(), lifetime: Infinity, isRenewable: false };
    }
  };
}

/** @see https://developer.hashicorp.com/vault/api-docs/auth/approle#login-with-approle */
export function appRoleLogin({ roleId, revealSecretId, mount }: AppRole): LogIn {
  return (vault) => {
    const credentials = { role_id: roleId, secret_id: revealSecretId() };
    return vault.logIn({ path: `auth/${mount}/login`, role: {}, credentials });
  };
}

/** @see https://developer.hashicorp.com/vault/api-docs/auth/kubernetes#login */
export function kubernetesLogin({ role, tokenFile, mount }: KubernetesRole): LogIn {
  return async (vault) => {
    const credentials = { jwt: await readToken(tokenFile) };
    return vault.logIn({ path: `auth/${mount}/login`, role: { role }, credentials });
  };
}

/** @see https://developer.hashicorp.com/vault/api-docs/auth/cert#login-with-tls-certificate-method */
export function certificateLogin(given: CertificateRole): LogIn {
  return async (vault) => {
    const cert = await readSettingsFile(given.certificateFile, (pem) => new X509Certificate(pem));
    const key = await readSettingsFile(given.keyFile, (pem) => checkKey(pem, cert));
    const role = given.role === '' ? {} : { name: given.role };
    const path = `auth/${given.mount}/login`;
    return vault.logIn({ path, role, credentials: {}, certificate: { cert, key } });
  };
}

function checkKey(pem: string, cert: string): void {
  if (!new X509Certificate(cert).checkPrivateKey(createPrivateKey(pem))) {
    throw new Error('it holds another key than that of the certificate');
  }
}
