// A client of OpenID Connect for the tests of this library.
import type { ClientDefinition } from '../src/client-definition.js';

/** A client with no field at its default, except `jwks`, which excludes `jwksUri`. */
export const COMPLETE_CLIENT: ClientDefinition = {
  redirectUris: ['https://hr.example.org/callback'],
  redirectUriPatterns: ['https://hr\\.example\\.org/.*'],
  postLogoutRedirectUris: ['https://hr.example.org/'],
  applicationType: 'native',
  tokenEndpointAuthMethod: 'private_key_jwt',
  grantTypes: ['authorization_code', 'refresh_token'],
  scopes: ['openid', 'offline_access'],
  pkceRequired: false,
  parRequired: true,
  dpopRequired: true,
  idTokenAlgorithm: 'ES256',
  claimsInIdToken: true,
  consent: 'once',
  jwks: null,
  jwksUri: 'https://hr.example.org/jwks',
  accessTokenLifetime: 60,
  refreshTokenLifetime: 86_400,
};
