// Vault tokens: where requests get theirs from, and Vault's token API.
import type { ClientCertificate } from '@tessera/runtime';
import { NumberLiteral } from '@tessera/property-sources';
import { fieldsOf, isText, type VaultAnswer } from './answer.js';
import { readSettingsFile, type SettingsFile } from './settings-file.js';
import { unavailable, VaultRefusedError } from './vault-error.js';
import type { VaultRequest, VaultRequests } from './vault-requests.js';

/** A token, with its lease. */
export interface Login {
  readonly token: string;
  /** In milliseconds from the request on; Infinity for a token that does not expire. */
  readonly lifetime: number;
  readonly isRenewable: boolean;
}

export interface LoginRequest {
  /** `auth/approle/login` */
  readonly path: string;
  readonly role: Readonly<Record<string, string>>;
  /** Secret values. */
  readonly credentials: Readonly<Record<string, string>>;
  /** Presented by all later connections. */
  readonly certificate?: ClientCertificate;
}

/** Vault's token API. Each method throws VaultError, VAULT_REFUSED where Vault refuses. */
export interface TokenCalls {
  logIn(request: LoginRequest): Promise<Login>;
  renew(token: string): Promise<Login>;
  lookUp(token: string): Promise<Login>;
}

/** The source of the tokens of requests. */
export interface TokenProvider {
  /** Called before each request. @throws VaultError */
  token(vault: TokenCalls): Promise<string>;
  /** Called when Vault refuses a request with this token; the next call of `token` may return another. */
  refused?(token: string): void;
  close?(): void;
}

/** The token in a file, which an agent may replace at any time. @throws VaultError VAULT_FILE_UNREADABLE, at each request */
export function tokenFile(file: SettingsFile): TokenProvider {
  return { token: () => readToken(file) };
}

/** The content of a file without surrounding white space. @throws VaultError VAULT_FILE_UNREADABLE */
export async function readToken(file: SettingsFile): Promise<string> {
  return (await readSettingsFile(file, checkToken)).trim();
}

function checkToken(text: string): void {
  // Node's error for an invalid header value would quote it.
  if (!/^[\x21-\x7e]+$/.test(text.trim())) throw new Error('it holds no token');
}

/** @see https://developer.hashicorp.com/vault/api-docs/auth/token */
export class VaultTokenCalls implements TokenCalls {
  constructor(private readonly requests: VaultRequests) {}

  async logIn({ path, role, credentials, certificate }: LoginRequest): Promise<Login> {
    if (certificate !== undefined) this.requests.present(certificate);
    const body = { ...role, ...credentials };
    const answer = await this.send({ path, body, secrets: Object.values(credentials) });
    return loginOf(answer['auth'], 'lease_duration');
  }

  async renew(token: string): Promise<Login> {
    const answer = await this.send({ path: 'auth/token/renew-self', token, body: {} });
    return loginOf(answer['auth'], 'lease_duration');
  }

  async lookUp(token: string): Promise<Login> {
    const { data } = await this.send({ path: 'auth/token/lookup-self', token });
    return loginOf({ ...fieldsOf(data), client_token: token }, 'ttl');
  }

  private async send(request: VaultRequest): Promise<VaultAnswer['body']> {
    const { status, body, reasons } = await this.requests.send(request);
    if (status === 200) return body;
    throw new VaultRefusedError(request.path, `status ${status}: ${reasons}`);
  }
}

/** @param lifetime name of the field with the lifetime in seconds; 0 means no expiry */
function loginOf(answer: unknown, lifetime: 'lease_duration' | 'ttl'): Login {
  const fields = fieldsOf(answer);
  const { client_token: token, renewable, [lifetime]: literal } = fields;
  if (!isText(token)) throw unavailable(new Error('a login without a token'));
  const seconds = literal instanceof NumberLiteral ? Number(literal.json) : 0;
  const milliseconds = seconds > 0 ? seconds * 1_000 : Infinity;
  return { token, lifetime: milliseconds, isRenewable: renewable === true };
}
