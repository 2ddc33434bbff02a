// The grants of sessions to clients. `Grants` opens them.
import type { AdapterPayload } from 'oidc-provider';
import type { Clients } from '../clients/clients.js';
import type { Revocations } from './revocations.js';
import type { OidcStore, StoredGrant } from './oidc-store.js';
import { PartialAdapter } from './partial-adapter.js';
import { RequestCache } from './request-cache.js';

export class GrantAdapter extends PartialAdapter {
  private readonly cache = new RequestCache((id) => this.store.findGrant(id));

  constructor(
    private readonly store: Pick<OidcStore, 'findGrant'>,
    private readonly clients: Pick<Clients, 'registrationOf'>,
    private readonly revocations: Pick<Revocations, 'revoke'>,
  ) {
    super();
  }

  /** Read once in a request. */
  async find(id: string): Promise<AdapterPayload | undefined> {
    const grant = await this.cache.find(id);
    if (grant === undefined) return undefined;
    return grantPayload(grant, this.clients.registrationOf(grant.clientId)?.client.scopes ?? []);
  }

  override async destroy(id: string): Promise<undefined> {
    await this.revocations.revoke(id);
  }
}

/** @param allowed scopes that the client may ask for now: it loses others in its tokens too */
export function grantPayload(
  { id, clientId, principal, scopes, expiresAt }: StoredGrant,
  allowed: readonly string[],
): {
  readonly kind: 'Grant';
  readonly jti: string;
  readonly clientId: string;
  readonly accountId: string;
  readonly exp: number;
  readonly openid: { readonly scope: string };
} {
  return {
    kind: 'Grant',
    jti: id,
    clientId,
    accountId: principal,
    exp: Math.floor(expiresAt),
    openid: { scope: scopes.filter((each) => allowed.includes(each)).join(' ') },
  };
}
