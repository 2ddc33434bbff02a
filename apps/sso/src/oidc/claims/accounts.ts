// The users of tokens: the user name that a client gets, and the claims.
import { Inject, Injectable } from '@nestjs/common';
import { type Account, type AccountClaims, errors, type KoaContextWithOIDC } from 'oidc-provider';
import {
  hasUserName,
  isAuthorised,
  type Principal,
  type RegisteredClient,
  release,
} from '@tessera/services';
import { ssoConfig } from '../../settings/namespaces.js';
import type { SsoSettings } from '../../settings/sso-settings.js';
import { attributesWithin, claimsOf, scopesOf } from './claims.js';
import { Clients } from '../clients/clients.js';
import { consentRuleFor } from '../consent/consent-rule.js';
import { type TokenSource, TokenPrincipals } from './token-principals.js';

/** The members of a token that lead to its client and its user. */
export interface IntrospectedToken extends TokenSource {
  readonly clientId?: string | undefined;
  readonly accountId?: string | undefined;
  /** Those that the answer names. */
  scope?: string | undefined;
}

@Injectable()
export class OidcAccounts {
  constructor(
    readonly clients: Clients,
    private readonly principals: TokenPrincipals,
    @Inject(ssoConfig.KEY) private readonly settings: SsoSettings,
  ) {}

  /**
   * The user of a request: by the session of the browser, or by a token. Undefined where he has gone, has no user name for
   * the client, or may not use it any more.
   */
  readonly find = async (
    ctx: KoaContextWithOIDC,
    accountId: string,
    token?: TokenSource,
  ): Promise<Account | undefined> => {
    const registered = this.registrationIn(ctx);
    return registered && this.accountOf(registered, ctx, { accountId, token });
  };

  /**
   * Whether the client and the user of a token, which another client may ask about, could still use it. The answer names the
   * user as that client knows him, and only scopes that the client may still have.
   */
  readonly isActive = async (
    ctx: KoaContextWithOIDC,
    token: IntrospectedToken,
  ): Promise<boolean> => {
    const { clientId = '', accountId } = token;
    const registered = this.clients.registrationOf(clientId);
    if (registered === undefined) return false;
    const { scopes, grantTypes } = registered.client;
    token.scope = token.scope
      ?.split(' ')
      .filter((each) => scopes.includes(each))
      .join(' ');
    if (accountId === undefined) return grantTypes.includes('client_credentials');
    const account = await this.accountOf(registered, ctx, { accountId, token });
    if (account !== undefined) ctx.oidc.entity('Account', account);
    return account !== undefined;
  };

  private async accountOf(
    registered: RegisteredClient,
    ctx: KoaContextWithOIDC,
    { accountId, token }: { readonly accountId: string; readonly token: TokenSource | undefined },
  ): Promise<Account | undefined> {
    const mayOutlive = registered.client.scopes.includes('offline_access');
    const principal = await this.principals.of(ctx, token, mayOutlive);
    if (principal?.id !== accountId) return undefined;
    if (token !== undefined && !isAuthorised(registered, principal, Date.now())) return undefined;
    const { defaultAttributes, oidc } = this.settings;
    const released = release(registered, principal, defaultAttributes);
    if (!hasUserName(registered, principal, released)) return undefined;
    return {
      accountId,
      principal,
      profileOf: (scopes: readonly string[]): Principal => ({
        id: released.id,
        attributes: this.attributesFor(registered, released, scopes),
      }),
      claims: (use: string): Promise<AccountClaims> =>
        Promise.resolve(
          use === 'id_token' && !registered.client.claimsInIdToken
            ? { sub: accountId }
            : { ...claimsOf(registered, released, oidc), sub: accountId },
        ),
    };
  }

  /** Of a client whose users are asked, those alone to which they have agreed. @param scopes of a token */
  private attributesFor(
    { client }: RegisteredClient,
    released: Principal,
    scopes: readonly string[],
  ): Principal['attributes'] {
    const { oidc } = this.settings;
    if (consentRuleFor(client, { scopes }, oidc) === 'never') return released.attributes;
    const allowed = scopes.filter((each) => client.scopes.includes(each));
    return attributesWithin(allowed, released, oidc);
  }

  /**
   * The user name that the client gets.
   *
   * @throws AccessDenied for a user without one
   * @see docs/oidc.md
   */
  readonly subjectOf = (
    ctx: KoaContextWithOIDC | undefined,
    accountId: string,
    { clientId }: { readonly clientId: string },
  ): string => {
    const registered = this.clients.registrationOf(clientId);
    if (registered === undefined) throw new errors.InvalidClient('the client is not registered');
    const known = ctx?.oidc.account?.['principal'] as Principal | undefined;
    const principal = known?.id === accountId ? known : { id: accountId, attributes: {} };
    const name = this.userNameOf(registered, principal);
    if (name !== undefined) return name;
    throw new errors.AccessDenied('the user has no user name for this client');
  };

  /** The user name that the client gets, of the session's principal. Undefined for a user without one. */
  userNameOf(registered: RegisteredClient, principal: Principal): string | undefined {
    const released = release(registered, principal, this.settings.defaultAttributes);
    return hasUserName(registered, principal, released) ? released.id : undefined;
  }

  /** The scopes of this server, with their claims. */
  get scopes(): Readonly<Record<string, readonly string[]>> {
    return scopesOf(this.settings.oidc);
  }

  readonly registrationIn = ({ oidc }: KoaContextWithOIDC): RegisteredClient | undefined =>
    oidc.client && this.clients.registrationOf(oidc.client.clientId);
}
