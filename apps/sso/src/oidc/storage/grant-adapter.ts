// The grants of sessions to clients. `Grants` opens them.
import type { AdapterPayload } from 'oidc-provider';
import type { Revocations } from '../revocations.js';
import type { OidcStore, StoredGrant } from './oidc-store.js';
import { PartialAdapter } from './partial-adapter.js';

export class GrantAdapter extends PartialAdapter {
  constructor(
    private readonly store: Pick<OidcStore, 'findGrant'>,
    private readonly revocations: Pick<Revocations, 'revoke'>,
  ) {
    super();
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    const grant = await this.store.findGrant(id);
    return grant && grantPayload(grant);
  }

  override async destroy(id: string): Promise<undefined> {
    await this.revocations.revoke(id);
  }
}

export function grantPayload({ id, clientId, principal, scopes, expiresAt }: StoredGrant): {
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
    openid: { scope: scopes.join(' ') },
  };
}
