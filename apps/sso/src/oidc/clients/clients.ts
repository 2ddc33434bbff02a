// The clients: registered services with a client id, as the library knows them.
import { Inject, Injectable } from '@nestjs/common';
import type { AdapterPayload } from 'oidc-provider';
import {
  ClientSecrets,
  isEnabled,
  logoutUrlsOf,
  matchesRedirectPattern,
  originOfPattern,
  type RegisteredClient,
  ServiceRegistry,
} from '@tessera/services';
import { ssoConfig } from '../../settings/namespaces.js';
import type { SsoSettings } from '../../settings/sso-settings.js';
import { scopesOf } from '../claims/claims.js';
import { ClientThrottle } from './client-throttle.js';
import { PartialAdapter } from '../storage/partial-adapter.js';

@Injectable()
export class Clients extends PartialAdapter {
  constructor(
    private readonly services: ServiceRegistry,
    private readonly secrets: ClientSecrets,
    private readonly throttle: ClientThrottle,
    @Inject(ssoConfig.KEY) private readonly settings: Pick<SsoSettings, 'oidc'>,
  ) {
    super();
  }

  /** The enabled registration of a client. */
  registrationOf(clientId: string): RegisteredClient | undefined {
    const client = this.services.findByClientId(clientId);
    return client !== undefined && isEnabled(client, Date.now()) ? client : undefined;
  }

  /** @throws as `ClientThrottle.hasPassword`, where the client has an imported secret */
  async hasSecret(clientId: string, secret: string): Promise<boolean> {
    const registered = this.registrationOf(clientId);
    if (registered === undefined) return false;
    return this.secrets.matches(registered.id, secret, (hashes) =>
      this.throttle.hasPassword(clientId, secret, hashes),
    );
  }

  /**
   * Whether an imported pattern of the client, or one of its URIs, is the URI. Undefined for a client without patterns, whose
   * URIs the library compares.
   */
  matchesPattern(clientId: string, uri: string): boolean | undefined {
    const { redirectUris = [], redirectUriPatterns = [] } =
      this.registrationOf(clientId)?.client ?? {};
    if (redirectUriPatterns.length === 0) return undefined;
    return redirectUris.includes(uri) || matchesRedirectPattern(redirectUriPatterns, uri);
  }

  /** True for a client that is not registered. */
  requiresPkce(clientId: string): boolean {
    return this.registrationOf(clientId)?.client.pkceRequired ?? true;
  }

  /** Of access tokens and ID tokens, in seconds. */
  accessTokenLifetime(clientId = ''): number {
    const { accessTokenLifetime } = this.registrationOf(clientId)?.client ?? {};
    return accessTokenLifetime ?? Math.floor(this.settings.oidc.accessTokenLifetime / 1_000);
  }

  /** In seconds. */
  refreshTokenLifetime(clientId = ''): number {
    const { refreshTokenLifetime } = this.registrationOf(clientId)?.client ?? {};
    return refreshTokenLifetime ?? Math.floor(this.settings.oidc.refreshTokenLifetime / 1_000);
  }

  /** Its metadata. @see RFC 7591, section 2 */
  find(clientId: string): Promise<AdapterPayload | undefined> {
    const registered = this.registrationOf(clientId);
    const scopes = Object.keys(scopesOf(this.settings.oidc));
    return Promise.resolve(registered && metadataOf(registered, scopes));
  }
}

/** The URLs for logout messages to a client; none where its registration has none. */
export function logoutUrlsFor({
  logoutType,
  logoutUrl,
}: Pick<RegisteredClient, 'logoutType' | 'logoutUrl'>): readonly string[] {
  if (logoutType === 'none' || logoutUrl === null) return [];
  return logoutUrlsOf({ logoutUrl }, logoutUrl);
}

/** Secrets are compared in the store: the library must not have one, and wants a text. */
const NO_SECRET = '-';

/** @param scopes of the server. The library refuses a client that has others. */
function metadataOf(
  { name, clientId, client }: RegisteredClient,
  scopes: readonly string[],
): AdapterPayload {
  const usesSecret = client.tokenEndpointAuthMethod.startsWith('client_secret');
  const hasCode = client.grantTypes.includes('authorization_code');
  return {
    client_id: clientId,
    client_name: name,
    ...(usesSecret && { client_secret: NO_SECRET }),
    application_type: client.applicationType,
    token_endpoint_auth_method: client.tokenEndpointAuthMethod,
    // Of patterns, the library needs the origins: for CORS, and because it wants a URI.
    redirect_uris: [...client.redirectUris, ...client.redirectUriPatterns.map(originOfPattern)],
    grant_types: [...client.grantTypes],
    response_types: hasCode ? ['code'] : [],
    scope: client.scopes.filter((each) => scopes.includes(each)).join(' '),
    id_token_signed_response_alg: client.idTokenAlgorithm,
    require_pushed_authorization_requests: client.parRequired,
    dpop_bound_access_tokens: client.dpopRequired,
    ...(client.jwks !== null && { jwks: client.jwks }),
    ...(client.jwksUri !== null && { jwks_uri: client.jwksUri }),
  };
}
