// The clients: registered services with a client id, as the library knows them.
import { Inject, Injectable } from '@nestjs/common';
import type { AllClientMetadata } from 'oidc-provider';
import {
  ClientSecrets,
  isEnabled,
  logoutUrlsOf,
  matchesRedirectPattern,
  type RegisteredClient,
  ServiceRegistry,
} from '@tessera/services';
import { ssoConfig } from '../../settings/namespaces.js';
import type { SsoSettings } from '../../settings/sso-settings.js';
import { scopesOf } from '../claims/claims.js';
import { metadataOf } from './client-metadata.js';
import { ClientThrottle } from './client-throttle.js';

@Injectable()
export class Clients {
  constructor(
    private readonly services: ServiceRegistry,
    private readonly secrets: ClientSecrets,
    private readonly throttle: ClientThrottle,
    @Inject(ssoConfig.KEY) private readonly settings: Pick<SsoSettings, 'oidc'>,
  ) {}

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

  /** Of the token that lives longest, in seconds. */
  tokenLifetime(clientId: string): number {
    return Math.max(this.accessTokenLifetime(clientId), this.refreshTokenLifetime(clientId));
  }

  /** What the library knows of it. */
  find(clientId: string): AllClientMetadata | undefined {
    const registered = this.registrationOf(clientId);
    return registered && metadataOf(registered, Object.keys(scopesOf(this.settings.oidc)));
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
