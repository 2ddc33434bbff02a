// The configuration of the library. @see docs/oidc.md
import { Injectable } from '@nestjs/common';
import { type Configuration, errors, type JWKS, type KoaContextWithOIDC } from 'oidc-provider';
import { type IntrospectedToken, OidcAccounts } from './claims/accounts.js';
import { checkParameters } from './authorization/authorization-parameters.js';
import type { Clients } from './clients/clients.js';
import { ENDPOINTS } from './paths/endpoints.js';
import { Grants } from './storage/grants.js';
import { policyFor } from './interaction/interaction-policy.js';
import { LibraryPages } from './library/library-pages.js';
import { SESSION_COOKIE } from './library/library-requests.js';
import { StorageAdapters } from './storage/storage-adapters.js';

/** Seconds. */
const CODE_LIFETIME = 60;
const DEVICE_CODE_LIFETIME = 600;
const INTERACTION_LIFETIME = 3_600;
/** Of nothing that is stored: the TGT has its own. */
const SESSION_LIFETIME = 3_600;

/** Assertions are remembered until they end, because each is taken once. */
const MAX_ASSERTION_LIFETIME = 86_400;

const SIGNED_BY_CLIENTS = ['RS256', 'PS256', 'ES256', 'EdDSA'] as const;
const COOKIE = { signed: false, httpOnly: true, sameSite: 'lax' } as const;

/** What is the same for all installations. */
const FIXED: Configuration = {
  subjectTypes: ['public', 'pairwise'],
  responseTypes: ['code'],
  // A client with one pattern has no URI that could stand for an absent one.
  allowOmittingSingleRegisteredRedirectUri: false,
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
  // The one check of ours that comes after a request object was read, and before anything is stored.
  extraParams: { nonce: checkParameters },
  routes: ENDPOINTS,
  cookies: {
    names: { session: SESSION_COOKIE, interaction: 'oidc_interaction', resume: 'oidc_resume' },
    long: COOKIE,
    short: COOKIE,
  },
  // A scheme of an application has no origin, and pages without one send `null`.
  clientBasedCORS: (_ctx, origin, client) =>
    origin.startsWith('http') &&
    (client.redirectUris ?? []).some((uri) => URL.parse(uri)?.origin === origin),
  assertJwtClientAuthClaimsAndHeader: (ctx, { exp, aud }) => {
    if (Number(exp) > Date.now() / 1_000 + MAX_ASSERTION_LIFETIME) {
      throw new errors.InvalidClientAuth('the client_assertion JWT ends too late');
    }
    const accepted = ctx.oidc.clientJwtAuthExpectedAudience();
    if (![aud].flat().every((each) => accepted.has(each as string))) {
      throw new errors.InvalidClientAuth('the client_assertion JWT is for another server too');
    }
  },
};

const FEATURES = {
  devInteractions: { enabled: false },
  revocation: { enabled: true, allowedPolicy: isOf },
  clientCredentials: { enabled: true },
  pushedAuthorizationRequests: { enabled: true },
  dPoP: { enabled: true },
  requestObjects: { enabled: true },
  resourceIndicators: { enabled: false },
  rpInitiatedLogout: { enabled: false },
} satisfies Configuration['features'];

export interface ConfigurationParts {
  readonly issuer: string;
  readonly keys: JWKS;
  readonly fetch: NonNullable<Configuration['fetch']>;
}

@Injectable()
export class ProviderConfiguration {
  constructor(
    private readonly accounts: OidcAccounts,
    private readonly grants: Grants,
    readonly adapters: StorageAdapters,
    private readonly pages: LibraryPages,
  ) {}

  get clients(): Clients {
    return this.accounts.clients;
  }

  private readonly mayIntrospect = async (
    ctx: KoaContextWithOIDC,
    client: CallingClient,
    token: IntrospectedToken,
  ): Promise<boolean> =>
    isOwnToken(ctx, client, token) && (await this.accounts.isActive(ctx, token));

  private get deviceFlow(): NonNullable<Configuration['features']>['deviceFlow'] {
    return {
      enabled: true,
      userCodeInputSource: this.pages.askForCode,
      // oxlint-disable-next-line max-params -- those of the library
      userCodeConfirmSource: (ctx, _form, client, _device, userCode) =>
        this.pages.confirmCode(ctx, client, userCode),
      successSource: this.pages.showConnected,
    };
  }

  of({ issuer, keys, fetch }: ConfigurationParts): Configuration {
    const { accounts, clients } = this;
    const scopes = Object.entries(accounts.scopes);
    return {
      ...FIXED,
      jwks: keys,
      fetch,
      adapter: (model: string) => this.adapters.of(model),
      findAccount: accounts.find,
      pairwiseIdentifier: accounts.subjectOf,
      loadExistingGrant: (ctx) => this.grants.load(ctx),
      renderError: this.pages.showError,
      features: {
        ...FEATURES,
        registration: this.adapters.registrations.feature,
        introspection: { enabled: true, allowedPolicy: this.mayIntrospect },
        deviceFlow: this.deviceFlow,
      },
      interactions: {
        policy: policyFor(accounts),
        url: (_ctx, { uid }) => `${issuer}/interaction/${uid}`,
      },
      scopes: scopes.map(([name]) => name),
      claims: Object.fromEntries(scopes.map(([name, claims]) => [name, [...claims]])),
      discovery: logoutMetadata(issuer, this.grants.singleLogout),
      pkce: { required: (_ctx, { clientId }) => clients.requiresPkce(clientId) },
      ttl: {
        AccessToken: (_ctx, { clientId }) => clients.accessTokenLifetime(clientId),
        ClientCredentials: (_ctx, { clientId }) => clients.accessTokenLifetime(clientId),
        IdToken: (_ctx, _token, { clientId }) => clients.accessTokenLifetime(clientId),
        RefreshToken: (_ctx, { clientId }) => clients.refreshTokenLifetime(clientId),
        AuthorizationCode: CODE_LIFETIME,
        DeviceCode: DEVICE_CODE_LIFETIME,
        Interaction: INTERACTION_LIFETIME,
        Session: SESSION_LIFETIME,
      },
    };
  }
}

/** Logout is ours: it ends the session of all applications. */
function logoutMetadata(issuer: string, isTold: boolean): Record<string, unknown> {
  return {
    end_session_endpoint: `${issuer}/session/end`,
    backchannel_logout_supported: isTold,
    backchannel_logout_session_supported: isTold,
    frontchannel_logout_supported: isTold,
    frontchannel_logout_session_supported: isTold,
  };
}

interface CallingClient {
  readonly clientId: string;
  readonly clientAuthMethod?: string | undefined;
}

interface TokenOfClient {
  readonly clientId?: string | undefined;
}

/** Resource servers are confidential clients; a public client learns of its own tokens alone. */
function isOwnToken(ctx: KoaContextWithOIDC, client: CallingClient, token: TokenOfClient): boolean {
  return client.clientAuthMethod !== 'none' || isOf(ctx, client, token);
}

function isOf(
  _ctx: KoaContextWithOIDC,
  { clientId }: Pick<CallingClient, 'clientId'>,
  token: TokenOfClient,
): boolean {
  return token.clientId === clientId;
}
