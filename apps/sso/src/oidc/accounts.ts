// The users of tokens: who they are to a client, and what it is told about them.
import { Inject, Injectable } from '@nestjs/common';
import { type Account, type AccountClaims, errors, type KoaContextWithOIDC } from 'oidc-provider';
import { isAuthorised, type Principal, type RegisteredClient, release } from '@tessera/services';
import { ssoConfig } from '../settings/namespaces.js';
import type { SsoSettings } from '../settings/sso-settings.js';
import { claimsOf, scopesOf } from './claims.js';
import { Clients } from './clients.js';
import { type TokenSource, TokenPrincipals } from './token-principals.js';

@Injectable()
export class OidcAccounts {
  constructor(
    readonly clients: Clients,
    private readonly principals: TokenPrincipals,
    @Inject(ssoConfig.KEY) private readonly settings: SsoSettings,
  ) {}

  /**
   * The user of a request: by the session of the browser, or by a token. Undefined where he has gone, or may not use the
   * client any more.
   */
  readonly find = async (
    ctx: KoaContextWithOIDC,
    accountId: string,
    token?: TokenSource,
  ): Promise<Account | undefined> => {
    const registered = this.registrationIn(ctx);
    const principal = await this.principals.of(ctx, token);
    if (registered === undefined || principal?.id !== accountId) return undefined;
    if (token !== undefined && !isAuthorised(registered, principal, Date.now())) return undefined;
    const { defaultAttributes, oidc } = this.settings;
    const released = release(registered, principal, defaultAttributes);
    return {
      accountId,
      principal,
      claims: (use: string): Promise<AccountClaims> =>
        Promise.resolve(
          use === 'id_token' && !registered.client.claimsInIdToken
            ? { sub: accountId }
            : { ...claimsOf(registered, released, oidc), sub: accountId },
        ),
    };
  };

  /** The user name that the client gets. @see docs/services.md */
  readonly subjectOf = (
    ctx: KoaContextWithOIDC | undefined,
    accountId: string,
    { clientId }: { readonly clientId: string },
  ): string => {
    const registered = this.clients.registrationOf(clientId);
    if (registered === undefined) throw new errors.InvalidClient('the client is not registered');
    const known = ctx?.oidc.account?.['principal'] as Principal | undefined;
    const principal = known?.id === accountId ? known : { id: accountId, attributes: {} };
    return release(registered, principal, this.settings.defaultAttributes).id;
  };

  /** The scopes of this server, with their claims. */
  get scopes(): Readonly<Record<string, readonly string[]>> {
    return scopesOf(this.settings.oidc);
  }

  readonly registrationIn = ({ oidc }: KoaContextWithOIDC): RegisteredClient | undefined =>
    oidc.client && this.clients.registrationOf(oidc.client.clientId);
}
