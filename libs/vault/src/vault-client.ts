// Owns access to one Vault: who asks, and what the status of an answer means. What secrets look like is next door.
import { X509Certificate } from 'node:crypto';
import type { VaultAnswer } from './answer.js';
import { KeyValues, type KeyValuesOptions } from './key-values.js';
import { readSettingsFile, type SettingsFile } from './settings-file.js';
import { VaultTokenCalls } from './token-calls.js';
import type { TokenProvider } from './tokens.js';
import { VaultRefusal } from './vault-error.js';
import { VaultRequests, type RequestOptions } from './vault-requests.js';

export interface VaultOptions extends Pick<RequestOptions, 'uri' | 'namespace' | 'timeout'> {
  readonly tokens: TokenProvider;
  /** PEM file of the CAs that Vault's certificate must come from; absent: the public ones. */
  readonly caFile?: SettingsFile | undefined;
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
   * Reads files; asks Vault nothing yet.
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
   * @throws VaultError VAULT_UNAVAILABLE, VAULT_SEALED, VAULT_REFUSED, and what the provider of tokens throws
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
    throw new VaultRefusal(path, `status ${answer.status}: ${answer.reasons}`);
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
