// Owns what Vault is asked about tokens, and how it answers. When it is asked is the affair of whoever holds the token.
import { NumberLiteral } from '@tessera/property-sources';
import { fieldsOf, isText, type VaultAnswer } from './answer.js';
import type { Login, LoginRequest, TokenCalls } from './tokens.js';
import { unavailable, VaultRefusal } from './vault-error.js';
import type { VaultRequest, VaultRequests } from './vault-requests.js';

/** @see https://developer.hashicorp.com/vault/api-docs/auth/token */
export class VaultTokenCalls implements TokenCalls {
  constructor(private readonly requests: VaultRequests) {}

  async logIn({ path, role, credentials, certificate }: LoginRequest): Promise<Login> {
    if (certificate !== undefined) this.requests.present(certificate);
    const body = { ...role, ...credentials };
    const answer = await this.ask({ path, body, secrets: Object.values(credentials) });
    return loginOf(answer['auth'], 'lease_duration');
  }

  async renew(token: string): Promise<Login> {
    const answer = await this.ask({ path: 'auth/token/renew-self', token, body: {} });
    return loginOf(answer['auth'], 'lease_duration');
  }

  async lookUp(token: string): Promise<Login> {
    const { data } = await this.ask({ path: 'auth/token/lookup-self', token });
    return loginOf({ ...fieldsOf(data), client_token: token }, 'ttl');
  }

  private async ask(request: VaultRequest): Promise<VaultAnswer['body']> {
    const { status, body, reasons } = await this.requests.send(request);
    if (status === 200) return body;
    throw new VaultRefusal(request.path, `status ${status}: ${reasons}`);
  }
}

/** @param lifetime the field that has it, in seconds; 0 stands for no end */
function loginOf(said: unknown, lifetime: 'lease_duration' | 'ttl'): Login {
  const fields = fieldsOf(said);
  const { client_token: token, renewable, [lifetime]: written } = fields;
  if (!isText(token)) throw unavailable(new Error('a login without a token'));
  const seconds = written instanceof NumberLiteral ? Number(written.json) : 0;
  const milliseconds = seconds > 0 ? seconds * 1_000 : Infinity;
  return { token, lifetime: milliseconds, isRenewable: renewable === true };
}
