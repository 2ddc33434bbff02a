// The client of one Vault, and how settings become one.
import { X509Certificate } from 'node:crypto';
import type { VaultAnswer } from './answer.js';
import { KeyValues, type KeyValuesOptions } from './key-values.js';
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
import { readSettingsFile, type SettingsFile } from './settings-file.js';
import { tokenFile, VaultTokenCalls, type TokenProvider } from './tokens.js';
import { VaultError, VaultRefusedError } from './vault-error.js';
import { VaultRequests, type RequestOptions } from './vault-requests.js';

type Environment = Readonly<Record<string, string | undefined>>;

export interface VaultOptions extends Pick<RequestOptions, 'uri' | 'namespace' | 'timeout'> {
  readonly tokens: TokenProvider;
  /** PEM file of the CAs of Vault's certificate; default: the public ones. */
  readonly caFile?: SettingsFile | undefined;
}

/** The address of Vault, and exactly one of the credentials. */
export interface VaultAccess extends Omit<VaultOptions, 'tokens'> {
  readonly token?: { reveal(): string } | undefined;
  readonly tokenFile?: SettingsFile | undefined;
  readonly appRole?: AppRole | undefined;
  readonly kubernetes?: KubernetesRole | undefined;
  readonly certificate?: CertificateRole | undefined;
}

/**
 * Reads files; sends no request.
 *
 * @param environment of this process
 * @throws VaultError VAULT_ENVIRONMENT_UNSAFE, VAULT_FILE_UNREADABLE
 */
export async function openVault(
  access: VaultAccess,
  environment: Environment,
): Promise<VaultClient> {
  refuseUnsafeEnvironment(environment);
  const { uri, namespace, timeout, caFile } = access;
  return VaultClient.open({ uri, namespace, timeout, caFile, tokens: tokensOf(access) });
}

/**
 * `VAULT_SKIP_VERIFY` has no effect: certificates are always verified. A user who sets it expects otherwise, and node-vault
 * takes even `false` for true.
 *
 * @throws VaultError VAULT_ENVIRONMENT_UNSAFE
 */
export function refuseUnsafeEnvironment(environment: Environment): void {
  if ((environment['VAULT_SKIP_VERIFY'] ?? '') === '') return;
  throw new VaultError(
    'VAULT_ENVIRONMENT_UNSAFE',
    'VAULT_SKIP_VERIFY is set: unset it, and name the CA of Vault’s certificate instead',
  );
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

export class VaultClient {
  private readonly tokenCalls: VaultTokenCalls;

  private constructor(
    private readonly requests: VaultRequests,
    private readonly tokens: TokenProvider,
  ) {
    this.tokenCalls = new VaultTokenCalls(requests);
  }

  /**
   * Reads files; sends no request.
   *
   * @throws VaultError VAULT_FILE_UNREADABLE
   */
  static async open({ caFile, tokens, ...options }: VaultOptions): Promise<VaultClient> {
    const ca = caFile && (await readSettingsFile(caFile, checkAuthorities));
    return new VaultClient(await VaultRequests.open({ ...options, ca }), tokens);
  }

  /** The secrets of a key-value engine. */
  keyValues(options: KeyValuesOptions): KeyValues {
    return new KeyValues(this, options);
  }

  /**
   * The answer to a GET, of status 200 or 404.
   *
   * @param path encoded, without `/v1/`
   * @throws VaultError VAULT_UNAVAILABLE, VAULT_SEALED, VAULT_REFUSED, and errors of the token provider
   */
  async get(path: string): Promise<VaultAnswer> {
    const token = await this.tokens.token(this.tokenCalls);
    let answer = await this.requests.send({ path, token });
    if (answer.status === 403) {
      this.tokens.refused?.(token);
      const another = await this.tokens.token(this.tokenCalls);
      if (another !== token) answer = await this.requests.send({ path, token: another });
    }
    if (answer.status === 200 || answer.status === 404) return answer;
    throw new VaultRefusedError(path, `status ${answer.status}: ${answer.reasons}`);
  }

  close(): void {
    this.tokens.close?.();
    this.requests.close();
  }
}

function checkAuthorities(pem: string): void {
  const certificates = pem.match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g);
  if (certificates === null) throw new Error('it holds no certificate');
  for (const certificate of certificates) void new X509Certificate(certificate);
}
