// Owns the ways to a token: what each method of authentication wants to see. Keeping the token is next door.
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readSettingsFile, type SettingsFile } from './settings-file.js';
import { readToken, type Login, type TokenCalls } from './tokens.js';
import { VaultError } from './vault-error.js';

/** Gets a token, each time anew. Files are read each time, since others replace them. @throws VaultError */
export type LogIn = (vault: TokenCalls) => Promise<Login>;

export interface AppRole {
  readonly roleId: string;
  readonly revealSecretId: () => string;
  /** Where the method is mounted: `approle`. */
  readonly mount: string;
}

export interface KubernetesRole {
  readonly role: string;
  /** Holds the token of the service account. */
  readonly tokenFile: SettingsFile;
  /** Where the method is mounted: `kubernetes`. */
  readonly mount: string;
}

export interface CertificateRole {
  /** PEM, the chain behind it included. */
  readonly certificateFile: SettingsFile;
  /** PEM, without passphrase. */
  readonly keyFile: SettingsFile;
  /** Empty: the first that takes the certificate. */
  readonly role: string;
  /** Where the method is mounted: `cert`. */
  readonly mount: string;
}

/**
 * A token that is given: no login, but a question how long it lasts. Where its policy forbids that question, it is taken
 * for one that lasts.
 *
 * @param reveal gives the token, which so stays out of sight
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
