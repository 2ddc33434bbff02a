// The fields of an OpenID Connect client as lines of `show`.
import type { ClientDefinition, RegisteredService } from '@tessera/services';

type Texts = string | readonly string[];

const BY_SETTINGS = 'as the settings say';

/** Empty for a service that is no client. */
export function clientLines({
  clientId,
  client,
}: RegisteredService): readonly (readonly [string, Texts])[] {
  if (clientId === null) return [];
  const named = Object.entries(client === null ? {} : textsOf(client));
  return [
    ['clientId', clientId],
    ...named.map(([name, texts]) => [`client.${name}`, texts] as const),
  ];
}

function textsOf(client: ClientDefinition): Record<keyof ClientDefinition, Texts> {
  return {
    redirectUris: client.redirectUris,
    redirectUriPatterns: client.redirectUriPatterns,
    postLogoutRedirectUris: client.postLogoutRedirectUris,
    applicationType: client.applicationType,
    tokenEndpointAuthMethod: client.tokenEndpointAuthMethod,
    grantTypes: client.grantTypes,
    scopes: client.scopes,
    pkceRequired: String(client.pkceRequired),
    parRequired: String(client.parRequired),
    dpopRequired: String(client.dpopRequired),
    idTokenAlgorithm: client.idTokenAlgorithm,
    claimsInIdToken: String(client.claimsInIdToken),
    consent: client.consent ?? BY_SETTINGS,
    jwks: client.jwks?.keys.map((key) => JSON.stringify(key)) ?? 'none',
    jwksUri: client.jwksUri ?? 'none',
    accessTokenLifetime: secondsOf(client.accessTokenLifetime),
    refreshTokenLifetime: secondsOf(client.refreshTokenLifetime),
  };
}

export function secondsOf(lifetime: number | null): string {
  return lifetime === null ? BY_SETTINGS : `${lifetime} s`;
}
