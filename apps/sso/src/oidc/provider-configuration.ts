// The configuration of the library. @see docs/oidc.md
import { Injectable } from '@nestjs/common';
import type { Configuration, JWKS, KoaContextWithOIDC } from 'oidc-provider';
import { OidcAccounts } from './accounts.js';
import type { Clients } from './clients.js';
import { ENDPOINTS } from './endpoints.js';
import { Grants } from './grants.js';
import { policyFor } from './interaction-policy.js';
import { SESSION_COOKIE } from './library-requests.js';
import { OidcErrorPages } from './oidc-error-pages.js';
import { StorageAdapters } from './storage/storage-adapters.js';

/** Seconds. */
const CODE_LIFETIME = 60;
const INTERACTION_LIFETIME = 3_600;
/** Of nothing that is stored: the TGT has its own. */
const SESSION_LIFETIME = 3_600;

const SIGNED_BY_CLIENTS = ['RS256', 'PS256', 'ES256', 'EdDSA'] as const;
const COOKIE = { signed: false, httpOnly: true, sameSite: 'lax' } as const;

/** What is the same for all installations. */
const FIXED: Configuration = {
  subjectTypes: ['public', 'pairwise'],
  responseTypes: ['code'],
  // `claimsInIdToken` of each client decides.
  conformIdTokenClaims: false,
  rotateRefreshToken: true,
  issueRefreshToken: (_ctx, client) => client.grantTypeAllowed('refresh_token'),
  clientAuthMethods: ['client_secret_basic', 'client_secret_post', 'private_key_jwt', 'none'],
  enabledJWA: {
    clientAuthSigningAlgValues: [...SIGNED_BY_CLIENTS],
    requestObjectSigningAlgValues: [...SIGNED_BY_CLIENTS],
    dPoPSigningAlgValues: [...SIGNED_BY_CLIENTS],
    idTokenSigningAlgValues: ['RS256', 'ES256'],
  },
  routes: ENDPOINTS,
  cookies: {
    names: { session: SESSION_COOKIE, interaction: 'oidc_interaction', resume: 'oidc_resume' },
    long: COOKIE,
    short: COOKIE,
  },
  features: {
    devInteractions: { enabled: false },
    introspection: { enabled: true, allowedPolicy: isOwnToken },
    revocation: {
      enabled: true,
      allowedPolicy: (_ctx, client, token) => token.clientId === client.clientId,
    },
    clientCredentials: { enabled: true },
    pushedAuthorizationRequests: { enabled: true },
    dPoP: { enabled: true },
    requestObjects: { enabled: true },
    backchannelLogout: { enabled: true },
    resourceIndicators: { enabled: false },
    rpInitiatedLogout: { enabled: false },
  },
  clientBasedCORS: (_ctx, origin, client) =>
    (client.redirectUris ?? []).some((uri) => URL.parse(uri)?.origin === origin),
};

export interface ConfigurationParts {
  readonly issuer: string;
  readonly clients: Clients;
  readonly keys: JWKS;
}

@Injectable()
export class ProviderConfiguration {
  constructor(
    private readonly accounts: OidcAccounts,
    private readonly grants: Grants,
    private readonly adapters: StorageAdapters,
    private readonly errorPages: OidcErrorPages,
  ) {}

  of({ issuer, clients, keys }: ConfigurationParts): Configuration {
    const { accounts } = this;
    const scopes = Object.entries(accounts.scopes);
    return {
      ...FIXED,
      jwks: keys,
      adapter: (model: string) => this.adapters.of(model),
      findAccount: accounts.find,
      pairwiseIdentifier: accounts.subjectOf,
      loadExistingGrant: (ctx) => this.grants.load(ctx),
      renderError: this.errorPages.render,
      interactions: {
        policy: policyFor((ctx) => accounts.registrationIn(ctx)),
        url: (_ctx, { uid }) => `${issuer}/interaction/${uid}`,
      },
      scopes: scopes.map(([name]) => name),
      claims: Object.fromEntries(scopes.map(([name, claims]) => [name, [...claims]])),
      pkce: { required: (_ctx, { clientId }) => clients.requiresPkce(clientId) },
      ttl: {
        AccessToken: (_ctx, { clientId }) => clients.accessTokenLifetime(clientId),
        ClientCredentials: (_ctx, { clientId }) => clients.accessTokenLifetime(clientId),
        IdToken: (_ctx, _token, { clientId }) => clients.accessTokenLifetime(clientId),
        RefreshToken: (_ctx, { clientId }) => clients.refreshTokenLifetime(clientId),
        AuthorizationCode: CODE_LIFETIME,
        Interaction: INTERACTION_LIFETIME,
        Session: SESSION_LIFETIME,
      },
    };
  }
}

/** Resource servers are confidential clients; a public client learns of its own tokens alone. */
function isOwnToken(
  _ctx: KoaContextWithOIDC,
  client: { readonly clientId: string; readonly clientAuthMethod?: string | undefined },
  token: { readonly clientId?: string | undefined },
): boolean {
  return client.clientAuthMethod !== 'none' || token.clientId === client.clientId;
}
